import type { Extensions } from './features/capabilities.js';
import type { Principal } from './principal.js';
import type { Revision } from './revision.js';

/** One HTTP request of a client, as far as its authorization may depend on it. */
export interface AuthorizedRequest {
  readonly method: string;
  /** Origin, path and query. */
  readonly url: string;
}

/** Headers that authorize one request, names in lower case: `authorization`, and `dpop` where tokens are bound to a key. */
export type AuthorizationHeaders = Readonly<Record<string, string>>;

/** What a server says of authorization when it refuses a request. */
export interface AuthorizationChallenge {
  readonly request: AuthorizedRequest;
  /** 401 or 403. */
  readonly status: number;
  /** The values of `WWW-Authenticate`, as they were sent. */
  readonly authenticate: readonly string[];
  /** The value of `DPoP-Nonce`. */
  readonly nonce: string | undefined;
  /** What the request was sent with. */
  readonly sent: AuthorizationHeaders | undefined;
  /** How often this request has been refused, this time included. */
  readonly attempt: number;
  /** The revision that is spoken; undefined while that is being found out. */
  readonly revision: Revision | undefined;
  /** Aborts when nobody waits for the outcome of this request any more. */
  readonly signal: AbortSignal;
}

/** Authorizes the requests to one server. */
export interface Authorizer {
  /**
   * The headers that a request is sent with, besides all others; undefined while there is nothing to show. A function that
   * has them at once gives no promise. It rejects when the request must not be sent at all.
   */
  authorize(
    request: AuthorizedRequest,
  ): AuthorizationHeaders | undefined | Promise<AuthorizationHeaders | undefined>;
  /**
   * Told that a request was refused. It may sign in, which may wait for a person; no time limit of the request counts
   * meanwhile.
   * @returns true when the request is to be sent again. It rejects with what the application is to hear instead of the refusal.
   */
  challenged(challenge: AuthorizationChallenge): Promise<boolean>;
  /** Told the `DPoP-Nonce` that an answer which is no refusal brought. */
  nonce?(nonce: string): void;
}

/** Signs in at servers: `connect(url, { auth })`. One of them serves any number of servers and connections. */
export interface AuthProvider {
  /** The part for one server; the same one each time for the same URL. */
  authorizer(server: URL): Authorizer;
  /** Extensions of authorization that it stands for: clients declare them. */
  readonly extensions?: Extensions | undefined;
}

/** What a guard sees of an HTTP request. */
export interface GuardedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  header(name: string): string | undefined;
}

/** Why a request is turned away before it means anything, and with which status. */
export interface HttpRefusal {
  readonly status: number;
  /** One sentence that says what to do; undefined for an answer without a body. */
  readonly reason?: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC code of the body; invalid request by default. */
  readonly code?: number;
  /** What went wrong at this end, for `onError` of the server; none of it is sent. */
  readonly cause?: unknown;
}

/** A caller who may enter, and what his answer is to carry. */
export interface Admitted {
  readonly principal: Principal;
  /** Headers of the answer, whichever it will be, such as `dpop-nonce`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Keeps the HTTP endpoints of a server for those who may enter. Other carriers know nothing of it. */
export interface Guard {
  /** JSON documents that everybody may read, by their absolute path. */
  readonly documents: ReadonlyMap<string, string>;
  /** Who is calling, or why he is turned away. Asked about every HTTP request before anything of it is parsed. */
  admit(
    request: GuardedRequest,
  ): Principal | Admitted | HttpRefusal | Promise<Principal | Admitted | HttpRefusal>;
  /** The refusal of a caller whose scopes do not suffice for what he asked: 403, and which scopes it takes. */
  demand(scopes: readonly string[], principal: Principal | undefined): HttpRefusal;
}

/** A server, or an HTTP handler of one, that can be guarded. */
export interface Guardable {
  /**
   * Admits from now on only those whom the guard admits.
   * @throws TypeError when there is a guard already.
   */
  guard(guard: Guard): this;
}
