import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonValue } from '@tenon/mcp-protocol';
import type { JSONWebKeySet } from 'jose';
import type { AuthorizationBehaviour, TestClient } from './behaviour.js';
import type { RecordedRequest, TestEndpoint } from './messages.js';

/** Options of {@link startTestAuthorizationServer}. */
export interface TestAuthorizationServerOptions extends AuthorizationBehaviour {
  /** The host of the issuer; the server listens on 127.0.0.1 in both cases. Default `127.0.0.1`. */
  readonly host?: '127.0.0.1' | 'localhost';
  /** Default 0: any free port. */
  readonly port?: number;
  /** Path of the issuer, such as `/tenant`, and of all endpoints. Default: none. */
  readonly path?: string;
  /** Registered clients, including resource servers that use introspection. */
  readonly clients?: readonly TestClient[];
  /** Returns the time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Fetches metadata documents of clients, and the keys they refer to. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Handles requests to other paths, such as those of a protected server at the same origin. Default: answers 404. */
  readonly rest?: (request: IncomingMessage, response: ServerResponse) => void;
}

/**
 * The signature of a token: `right`; `none` without a signature; `hs256-public-key` with the public key as an HMAC secret;
 * `wrong-key` with an unknown key under the `kid` of the right one; `broken` with a damaged signature.
 */
export type TestSignature = 'right' | 'none' | 'hs256-public-key' | 'wrong-key' | 'broken';

/** A valid or invalid token for a test. */
export interface TokenToIssue {
  /** Sets `typ`, lifetime and claims. Default `access`. */
  readonly kind?: 'access' | 'id' | 'id-jag';
  /** Default: the format the server issues. Only access tokens can be opaque. */
  readonly format?: 'jwt' | 'opaque';
  /** Default `user`. */
  readonly subject?: string;
  /** Default `client`. */
  readonly clientId?: string;
  /** Default: the server's `audience` option, else the issuer. */
  readonly audience?: string | readonly string[];
  readonly scopes?: readonly string[];
  /** Milliseconds from now; negative for an expired token. */
  readonly lifetime?: number;
  /** Replace the token's claims; undefined removes a claim. */
  readonly claims?: Readonly<Record<string, JsonValue | undefined>>;
  /** Replace members of the token's header; undefined removes one, such as `kid`. */
  readonly header?: Readonly<Record<string, JsonValue | undefined>>;
  /** Default `right`. */
  readonly signature?: TestSignature;
}

/** An authorization server in memory, for tests only. */
export interface TestAuthorizationServer {
  readonly issuer: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The public keys the server publishes. */
  readonly jwks: JSONWebKeySet;
  /** Clients by id: from the options, from dynamic registration, and from metadata documents. */
  readonly clients: ReadonlyMap<string, TestClient>;
  /** The newest requests, in order. */
  readonly requests: readonly RecordedRequest[];
  /** Number of requests to an endpoint. */
  count(endpoint: TestEndpoint): number;
  /** Number of token requests, of one grant type or of all. */
  tokenRequests(grantType?: string): number;
  /**
   * Changes the behaviour from now on; other options keep their values.
   * @throws TypeError or RangeError if an option is unknown or invalid
   */
  behave(changes: AuthorizationBehaviour): void;
  /** Registers a client, or replaces it. */
  addClient(client: TestClient): void;
  /** Removes a client. */
  removeClient(clientId: string): void;
  /**
   * Signs with a new key from now on.
   * @param keep - number of earlier keys that stay published. Default 1
   */
  rotateKeys(keep?: number): Promise<void>;
  /** Requires a new nonce in DPoP proofs from now on. */
  rotateNonce(): void;
  /** Issues a token without a request. */
  issueToken(token?: TokenToIssue): Promise<string>;
  /** Revokes an access token, or a refresh token with all other tokens of its grant. */
  revoke(token: string): void;
  /** Revokes all tokens and codes. */
  revokeAll(): void;
  /** Closes the port and every connection. Can be called more than once. */
  close(): Promise<void>;
  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
