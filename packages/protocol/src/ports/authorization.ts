import type { Revision } from '../codec/revision.js';
import type { Extensions } from '../model/capabilities.js';
import type { Principal } from './principal.js';

/** The part of a client's HTTP request that authorization may depend on. */
export interface AuthorizedRequest {
  readonly method: string;
  /** Origin, path and query. */
  readonly url: string;
}

/** Headers that authorize one request, names in lower case: `authorization`, and `dpop` if tokens are bound to a key. */
export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** The challenge of a server that rejected a request. */
export interface AuthorizationChallenge {
  readonly request: AuthorizedRequest;
  /** 401 or 403. */
  readonly status: number;
  /** The values of `WWW-Authenticate`, unchanged. */
  readonly authenticate: readonly string[];
  /** The value of `DPoP-Nonce`. */
  readonly nonce: string | undefined;
  /** The headers that the request was sent with. */
  readonly sent: AuthorizationHeaders | undefined;
  /** The number of times this request has been rejected, this time included. */
  readonly attempt: number;
  /** The negotiated revision; undefined during negotiation. */
  readonly revision: Revision | undefined;
  /** Aborts when the result of this request is no longer needed. */
  readonly signal: AbortSignal;
  /** False if the user must not be prompted for it: an authorizer that would have to rejects instead. Default: true. */
  readonly mayPrompt?: boolean;
}

/** Authorizes the requests to one server. */
export interface Authorizer {
  /**
   * Returns the authorization headers of a request; undefined if there are none yet. A function that
   * has them at once does not return a promise. Rejects if the request must not be sent.
   */
  authorize(
    request: AuthorizedRequest,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined>;
  /**
   * Called after a server rejected a request. It may sign in, which may wait for the user; time limits of the request are
   * suspended meanwhile.
   * @returns true to send the request again. Rejects with the error that the application receives instead of the rejection.
   */
  challenged(challenge: AuthorizationChallenge): Promise<boolean>;
  /** Receives the `DPoP-Nonce` of a successful answer. */
  nonce?(nonce: string): void;
}

/** Signs in at servers: `connect(url, { auth })`. One provider serves any number of servers and connections. */
export interface AuthProvider {
  /** Returns the authorizer of one server; the same one each time for the same URL. */
  authorizer(server: URL): Authorizer;
  /** The authorization extensions that the provider implements; clients declare them. */
  readonly extensions?: Extensions | undefined;
}

/** The part of an HTTP request that a guard reads. */
export interface GuardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  header(name: string): string | undefined;
}

/** The answer to an HTTP request that is rejected before its body is read. */
export interface HttpRefusal {
  readonly status: number;
  /** One sentence that says what to do; undefined for an answer without a body. */
  readonly reason?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC code of the body. Default: invalid request. */
  readonly code?: number;
  /** The error at this end, for `onError` of the server. It is not sent. */
  readonly cause?: unknown;
}

/** An authorized caller, and headers for the answer. */
export interface Admitted {
  readonly principal: Principal;
  /** Headers of every answer to the request, such as `dpop-nonce`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Authorizes requests to the HTTP endpoints of a server. Other transports do not use it. */
export interface Guard {
  /** Public JSON documents by their absolute path. */
  readonly documents: ReadonlyMap<string, string>;
  /** Returns the caller of a request, or its rejection. Called for every HTTP request before the body is parsed. */
  admit(
    request: GuardedRequest,
  ): Principal | Admitted | HttpRefusal | Promise<Principal | Admitted | HttpRefusal>;
  /** Returns the rejection of a caller without the required scopes: 403, with the scopes in the challenge. */
  demand(scopes: readonly string[], principal: Principal | undefined): HttpRefusal;
}

/** A server, or an HTTP handler of one, that can be guarded. */
export interface GuardTarget {
  /**
   * Rejects from now on all requests that the guard does not authorize.
   * @throws TypeError if there is a guard already.
   */
  guard(guard: Guard): this;
}

/**
 * Returns the guard for a server or handler without one.
 * @throws TypeError if `guard` is not a guard, or if there is one already.
 */
export function onlyGuard(guard: Guard, present: Guard | undefined): Guard {
  const { admit, demand, documents }: Partial<Guard> = guard ?? {};
  if (
    typeof admit !== 'function' ||
    typeof demand !== 'function' ||
    !((documents as unknown) instanceof Map)
  ) {
    throw new TypeError('guard() takes a guard: an object with admit, demand and a Map of documents.');
  }
  if (present !== undefined)
    throw new TypeError('There is a guard already: protect a server once, or each of its handlers.');
  return guard;
}
