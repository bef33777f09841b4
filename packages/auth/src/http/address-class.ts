import ipaddr from 'ipaddr.js';

/**
 * How far an address reaches: everywhere, within a network, within this machine; and `barred` for what no document has a
 * reason to point to: the link, metadata services of clouds, everybody at once, nowhere.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'barred';

/** The class of an IPv4 or IPv6 address in any of its spellings; undefined for what is no address. */
export function addressClass(text: string): AddressClass | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  // An IPv4 address in the words of IPv6 is the IPv4 address.
  const address = ipaddr.process(text);
  return isIpv4(address) ? classOf4(address) : classOf6(address);
}

type Ipv4 = ReturnType<typeof ipaddr.IPv4.parse>;
type Ipv6 = ReturnType<typeof ipaddr.IPv6.parse>;

// Metadata services, with credentials to give away, at addresses that are not of the link.
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
    // Where a network of its own translates, nothing behind that is public.
    return end === 'public' && address.match(localTranslation) ? 'private' : end;
  }
  const own = classOfRange(address.range());
  // What is global is allotted from here alone: the rest is nobody's.
  return own === 'public' && !address.match(globalUnicast) ? 'private' : own;
}

function classOfRange(range: string): AddressClass {
  if (barredRanges.has(range)) return 'barred';
  if (range === 'loopback') return 'loopback';
  return range === 'unicast' ? 'public' : 'private';
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const localTranslation = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
/** The spelling of old: `::127.0.0.1`, not to be taken for `::1` and `::`. */
const ipv4Compatible = ipaddr.IPv6.parseCIDR('::/96');

/** The IPv4 address that packets to an IPv6 address end at. */
function embeddedIpv4(address: Ipv6): Ipv4 | undefined {
  const { parts } = address;
  const range: string = address.range();
  if (range === '6to4') return ipv4Of(parts[1], parts[2]);
  // Teredo writes it with all bits turned over.
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
