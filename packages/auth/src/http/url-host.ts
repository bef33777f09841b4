/** The address that the host of a web URL is, without brackets; undefined where it is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  // However it was written, a URL that has been read writes it so.
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+(?:\.\d+){3}$/.test(hostname) ? hostname : undefined;
}

/** True for `localhost` and every name below it, which belong to this machine. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
export function isLocalhostName({ hostname }: URL): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** True for addresses and names of this machine. */
export function isLoopbackUrl(url: URL): boolean {
  return isLocalhostName(url) || loopback.test(literalAddress(url) ?? '');
}

/** An IPv4 address in the words of IPv6 is the IPv4 address; one that a network translates is not of this machine. */
const loopback = /^(?:127\.[\d.]+|::1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/;
