import { TransportError } from '@tenon/mcp-protocol';

const followed: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/** Where requests of one connection go: one origin for good, and a path that redirects may change. */
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

  /** A route that begins where this one is; where it is redirected to is nothing to this one. */
  fork(): RequestRoute {
    return new RequestRoute(new URL(this.origin + this.#path), this.#maxRedirects);
  }

  /**
   * Takes a redirect up, for this request and all that follow: same method, same body, same origin.
   * @param count - redirects that this request was given before.
   * @returns why it is not followed, or undefined when it is.
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
      return this.#refusal(status, 'to what is no URL');
    }
    if (target.origin !== this.origin) {
      const told = target.origin === 'null' ? target.protocol : target.origin;
      return this.#refusal(
        status,
        `to another origin (${told.slice(0, 200)}), where nothing is sent; connect to it if it is meant`,
      );
    }
    this.#path = target.pathname + target.search;
    return undefined;
  }

  #refusal(status: number, how: string): TransportError {
    return new TransportError(`${this.origin} redirects ${how}.`, { status });
  }
}
