import { isUrl } from '@tenon/mcp-protocol/internal';
/**
 * Returns the network of an address that one caller controls: the address itself, or the first 64 bits of an IPv6 address. A
 * caller with one IPv6 address usually controls all addresses of that network.
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

/** A cache: networks are needed for every request of a connection, and slow to compute. */
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
  // An IPv4 address in IPv6 notation belongs to one caller.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return address;
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/**
 * The same for an address that the operator's `remoteAddress` returned. It may be any name: only an IPv6 address stands for
 * a network.
 */
export function locatedNetworkOf(located: string): string {
  const url = `http://[${located}]`;
  if (!located.includes(':') || located.includes('.') || !isUrl(url)) return located;
  return networkOf(new URL(url).hostname.slice(1, -1));
}
