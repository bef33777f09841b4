import type { Guard } from '@tenon/mcp-protocol';

/**
 * The guard of a server. It rejects the combination of entries that need scopes and unauthenticated callers over HTTP.
 */
export class ServerGuard {
  guard: Guard | undefined;
  readonly #scoped = new Set<string>();
  /** HTTP endpoints that accept unauthenticated callers. */
  #open = 0;

  /**
   * Notes that an entry needs scopes.
   * @param owner - the entry as errors name it, such as `tool "forecast"`.
   * @throws TypeError if the server is served over HTTP without authentication.
   */
  add(owner: string, scopes: readonly string[] | undefined): void {
    if (scopes === undefined || scopes.length === 0) return;
    if (this.guard === undefined && this.#open > 0) throw unprotected(owner);
    this.#scoped.add(owner);
  }

  remove(owner: string): void {
    this.#scoped.delete(owner);
  }

  /** Notes that an endpoint accepts unauthenticated callers. @throws TypeError if an entry needs scopes. */
  open(): void {
    const [owner] = this.#scoped;
    if (owner !== undefined) throw unprotected(owner);
    this.#open++;
  }

  close(): void {
    this.#open--;
  }
}

function unprotected(owner: string): TypeError {
  return new TypeError(
    `The ${owner} needs scopes, but nothing authenticates callers over HTTP: everybody could use it. Protect the server before it is served: serveHttp(server, { guard: (resource) => new ResourceGuard({ resource, authorizationServers, verify }) }), or protect(server or handler, { ... }), both of @tenon/mcp-auth/server. Or give "authenticate", which tells who is calling and with which scopes.`,
  );
}
