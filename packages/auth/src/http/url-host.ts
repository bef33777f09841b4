import { isHttpsOrLoopback, isUrl } from '@tenon/mcp-protocol/internal';

/** Returns the IP address in a web URL, without brackets; undefined if the host is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  // The URL parser has converted every spelling of an address to these two forms.
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return /^\d+(?:\.\d+){3}$/.test(hostname) ? hostname : undefined;
}

/** True for `localhost` and the names below it. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
export function isLocalhostName({ hostname }: URL): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** True for loopback addresses and `localhost` names. */
export function isLoopbackUrl(url: URL): boolean {
  return isLocalhostName(url) || loopback.test(literalAddress(url) ?? '');
}

/** Includes IPv4-mapped IPv6 addresses; translated ones (NAT64, 6to4) leave this machine. */
const loopback = /^(?:127\.[\d.]+|::1|::ffff:7f[\da-f]{2}:[\da-f]{1,4})$/;

/** True for URLs of an origin. */
export function isAtOrigin(url: string, origin: string): boolean {
  return (
    url.startsWith(origin) && (url.length === origin.length || '/?#'.includes(url.charAt(origin.length)))
  );
}

/** Returns the URL of a text if secrets may be sent there, and it has neither credentials nor a fragment; otherwise undefined. */
export function secureUrl(text: string): URL | undefined {
  const url = isUrl(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === '';
  return isPlain && isHttpsOrLoopback(url) ? url : undefined;
}

/** Hosts and origins that the configuration trusts at any address. */
export class TrustedHosts {
  readonly #origins = new Set<string>();
  readonly #hosts = new Set<string>();

  /**
   * @param hosts - hosts (`auth.internal`, `10.0.0.7`, `auth.internal:8443`), trusted over https, or origins
   * (`http://auth.internal:8080`).
   * @throws TypeError if an entry is neither.
   */
  constructor(hosts: readonly string[] = []) {
    for (const host of hosts) {
      const isOrigin = host.includes('://');
      const written = isOrigin ? host : `https://${host}`;
      const url = isUrl(written) ? new URL(written) : undefined;
      if (url === undefined || !isBareOrigin(url)) throw new TypeError(invalidHost(host));
      if (isOrigin) this.#origins.add(url.origin);
      else this.#hosts.add(url.host);
    }
  }

  has(url: URL): boolean {
    if (this.#origins.has(url.origin)) return true;
    return url.protocol === 'https:' && (this.#hosts.has(url.host) || this.#hosts.has(url.hostname));
  }
}

function isBareOrigin({ protocol, origin, href }: URL): boolean {
  return (protocol === 'https:' || protocol === 'http:') && href === `${origin}/`;
}

function invalidHost(host: string): string {
  return `${JSON.stringify(host)} cannot be trusted: write a host such as "auth.internal", or an origin such as "http://auth.internal:8080".`;
}
