import { isUrl } from '@tenon/mcp-protocol/internal';
/**
 * The network an address belongs to, as far as one caller has it alone: the address, of IPv6 its first 64 bits.
 * Whoever has one IPv6 address has as many as a caller could wish for.
 */
export function networkOf(address: string): string {
  let network = known.get(address);
  if (network === undefined) {
    network = foundNetwork(address);
    if (known.size === mostKnown) known.clear();
    known.set(address, network);
  }
  return network;
}

/** Asked for with every request of a connection, and slow to make. */
const known = new Map<string, string>();
const mostKnown = 1_024;

function foundNetwork(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::', 2);
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  // An IPv4 address in other words is one caller's.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return address;
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The same for what an operator tells of a caller, which may be any name: only an IPv6 address is more than itself. */
export function toldNetworkOf(told: string): string {
  const url = `http://[${told}]`;
  if (!told.includes(':') || told.includes('.') || !isUrl(url)) return told;
  return networkOf(new URL(url).hostname.slice(1, -1));
}
