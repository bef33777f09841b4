import type { GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';

/**
 * Authenticates the caller of a request. Returns the principal, or undefined for an anonymous caller. A refusal, such as `{
 * status: 401, headers: { 'www-authenticate': 'Bearer' } }`, rejects the request.
 */
export type Authenticate = (
  request: GuardedRequest,
) => Principal | HttpRefusal | undefined | Promise<Principal | HttpRefusal | undefined>;

/** CORS settings beyond the headers of the protocol. */
export interface CorsOptions {
  /** Further request headers that pages may send, such as `x-api-key` or `traceparent`. */
  readonly headers?: readonly string[] | undefined;
}

/** Access control of an HTTP server. */
export interface RequestGuardOptions {
  /**
   * Host names of this server. Default: only the loopback names (localhost, 127.0.0.1, [::1]). Use `any` if a proxy in
   * front checks them.
   */
  readonly allowedHosts?: readonly string[] | 'any' | undefined;
  /**
   * Origins of pages that may send requests. Default: loopback origins if the hosts are loopback names, else https on the
   * allowed hosts.
   */
  readonly allowedOrigins?: readonly string[] | 'any' | undefined;
  /** Allows pages of allowed origins to read the answers. Default false. */
  readonly cors?: boolean | CorsOptions | undefined;
  /** Authenticates callers. Not allowed beside a guard, which does the same. */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Returns the address of a request, for limits that are counted by address. Needed behind a proxy, such as `(request) =>
   * request.header('x-real-ip')`, and in fetch runtimes. Default: the address of the connection, if it is known.
   */
  readonly remoteAddress?: ((request: GuardedRequest) => string | undefined) | undefined;
}
