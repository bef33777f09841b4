import { isUrl } from '@tenon/mcp-protocol/internal';

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
