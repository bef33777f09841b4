import { TransportError } from '@tenon/mcp-protocol';

const followed: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** The target of the requests of one connection: a fixed origin, and a path that redirects may change. */
export class RequestRoute {
  readonly origin: string;
  readonly #maxRedirects: number;
  #path: string;

  constructor(url: URL, maxRedirects: number) {
    this.origin = url.origin;
    this.#path = url.pathname + url.search;
    this.#maxRedirects = maxRedirects;
  }

  /** Path and query. */
  get path(): string {
    return this.#path;
  }

  /** Returns a route with the same target. Redirects of the new route do not change this one. */
  fork(): RequestRoute {
    return new RequestRoute(new URL(this.origin + this.#path), this.#maxRedirects);
  }

  /**
   * Follows a redirect, for this request and all later ones: same method, same body, same origin.
   * @param count - redirects that this request has followed before.
   * @returns the reason not to follow it; undefined if it is followed.
   */
  redirect(status: number, location: string | undefined, count: number): TransportError | undefined {
    if (!followed.has(status) || location === undefined) {
      return this.#refusal(status, 'in a way that does not keep a message whole; it was not followed');
    }
    if (count >= this.#maxRedirects) return this.#refusal(status, `more than ${this.#maxRedirects} times`);
    let target: URL;
    try {
      target = new URL(location, this.origin + this.#path);
    } catch {
      return this.#refusal(status, 'to an invalid URL');
    }
    if (target.origin !== this.origin) {
      const shown = target.origin === 'null' ? target.protocol : target.origin;
      return this.#refusal(
        status,
        `to another origin (${shown.slice(0, 200)}), where nothing is sent; connect to that URL if it is the right one`,
      );
    }
    this.#path = target.pathname + target.search;
    return undefined;
  }

  #refusal(status: number, how: string): TransportError {
    return new TransportError(`${this.origin} redirects ${how}.`, { status });
  }
}
