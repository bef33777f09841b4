import { isUrl } from '@tenon/mcp-protocol/internal';
/** Hosts and origins that somebody says are to be trusted, wherever they are. */
export class TrustedPlaces {
  readonly #origins = new Set<string>();
  readonly #hosts = new Set<string>();

  /**
   * @param places - hosts (`auth.internal`, `10.0.0.7`, `auth.internal:8443`), which are trusted over https, or origins
   * (`http://auth.internal:8080`).
   * @throws TypeError for what is neither.
   */
  constructor(places: readonly string[] = []) {
    for (const place of places) {
      const isOrigin = place.includes('://');
      const written = isOrigin ? place : `https://${place}`;
      const url = isUrl(written) ? new URL(written) : undefined;
      if (url === undefined || !isBareOrigin(url)) throw new TypeError(told(place));
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

function told(place: string): string {
  return `${JSON.stringify(place)} is no place to trust: write a host such as "auth.internal", or an origin such as "http://auth.internal:8080".`;
}
