import type { GuardedRequest, HttpRefusal, Principal } from '@tenon/mcp-protocol';

/**
 * Tells who is calling; undefined for nobody in particular. A refusal, such as `{ status: 401, headers: {
 * 'www-authenticate': 'Bearer' } }`, turns the request away.
 */
export type Authenticate = (
  request: GuardedRequest,
) => Principal | HttpRefusal | undefined | Promise<Principal | HttpRefusal | undefined>;

/** What pages may do beyond what the protocol needs. */
export interface CorsOptions {
  /** Further request headers they may send, such as `x-api-key` or `traceparent`. */
  readonly headers?: readonly string[] | undefined;
}

/** Who may call at all. */
export interface GateOptions {
  /**
   * Host names this server answers to. Default: those of this machine alone (localhost, 127.0.0.1, [::1]); `any` where
   * something in front of it has checked.
   */
  readonly allowedHosts?: readonly string[] | 'any' | undefined;
  /**
   * Origins whose pages may call. Default: those of this machine where the hosts are, else https on the allowed hosts.
   */
  readonly allowedOrigins?: readonly string[] | 'any' | undefined;
  /** Lets the pages of allowed origins read the answers. Default false. */
  readonly cors?: boolean | CorsOptions | undefined;
  /** Tells who is calling. Not beside a guard, which tells that too. */
  readonly authenticate?: Authenticate | undefined;
  /**
   * Tells where a request comes from, for what is counted by address: needed behind a proxy, such as
   * `(request) => request.header('x-real-ip')`, and in fetch runtimes. Default: the address of the connection, where there
   * is one to see.
   */
  readonly remoteAddress?: ((request: GuardedRequest) => string | undefined) | undefined;
}
