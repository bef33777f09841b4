import ipaddr from 'ipaddr.js';

/**
 * The kind of network that an address belongs to. `barred` addresses are those that no document has a reason to name:
 * link-local, multicast, broadcast and unspecified addresses, and metadata services of clouds.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'barred';

/** Returns the class of an IPv4 or IPv6 address in any of its spellings; undefined if the text is not an address. */
export function addressClass(text: string): AddressClass | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  // An IPv4-mapped IPv6 address counts as the IPv4 address.
  const address = ipaddr.process(text);
  return isIpv4(address) ? classOf4(address) : classOf6(address);
}

type Ipv4 = ReturnType<typeof ipaddr.IPv4.parse>;
type Ipv6 = ReturnType<typeof ipaddr.IPv6.parse>;

// Metadata services of clouds, which return credentials, outside the link-local range.
const metadataServices: ReadonlySet<string> = new Set([
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
]);

const barredRanges: ReadonlySet<string> = new Set(['linkLocal', 'multicast', 'unspecified', 'broadcast']);

function classOf4(address: Ipv4): AddressClass {
  if (metadataServices.has(address.toString())) return 'barred';
  return classOfRange(address.range());
}

function classOf6(address: Ipv6): AddressClass {
  if (metadataServices.has(address.toString())) return 'barred';
  const embedded = embeddedIpv4(address);
  if (embedded !== undefined) {
    const end = classOf4(embedded);
    // Behind a translation prefix for local use (RFC 8215), no address is public.
    return end === 'public' && address.match(localTranslation) ? 'private' : end;
  }
  const own = classOfRange(address.range());
  // Only 2000::/3 is allocated as global unicast.
  return own === 'public' && !address.match(globalUnicast) ? 'private' : own;
}

function classOfRange(range: string): AddressClass {
  if (barredRanges.has(range)) return 'barred';
  if (range === 'loopback') return 'loopback';
  return range === 'unicast' ? 'public' : 'private';
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const localTranslation = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
/** The deprecated IPv4-compatible form, such as `::127.0.0.1`. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/** Returns the IPv4 address that packets to a translated or tunnelled IPv6 address reach. */
function embeddedIpv4(address: Ipv6): Ipv4 | undefined {
  const { parts } = address;
  const range: string = address.range();
  if (range === '6to4') return ipv4Of(parts[1], parts[2]);
  // Teredo stores the IPv4 address with all bits inverted.
  if (range === 'teredo') return ipv4Of(flipped(parts[6]), flipped(parts[7]));
  const isAtEnd =
    range === 'rfc6052' || range === 'rfc6145' || (range === 'unicast' && address.match(ipv4Compatible));
  return isAtEnd ? ipv4Of(parts[6], parts[7]) : undefined;
}

function ipv4Of(high = 0, low = 0): Ipv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function flipped(part = 0): number {
  return part ^ 0xffff;
}

function isIpv4(address: Ipv4 | Ipv6): address is Ipv4 {
  return address.kind() === 'ipv4';
}
