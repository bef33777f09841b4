import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JSONWebKeySet } from 'jose';
import type { AuthorizationBehaviour } from './behaviour.js';
import type { RecordedRequest, TestEndpoint } from './recorded-request.js';
import type { TestClient } from './test-client.js';
import type { TokenToIssue } from './token-to-issue.js';

/** Bounds of a test authorization server. */
export interface TestAuthorizationLimits {
  /** Requests that are kept to look at; past it the oldest are forgotten. Default 1,000. */
  readonly requests?: number;
  /** Clients, codes, tokens and so on, of each kind; past it the oldest are forgotten. Default 10,000. */
  readonly entries?: number;
  /** Bytes of one request; past it the answer is 413. Default 65,536. */
  readonly bodyBytes?: number;
  /** Bytes of a client's metadata document; past it the client is unknown. Default 65,536. */
  readonly documentBytes?: number;
  /** Milliseconds for a client's metadata document to come whole. Default 5,000. */
  readonly documentTime?: number;
}

/** How a test authorization server is started. */
export interface TestAuthorizationServerOptions extends AuthorizationBehaviour {
  /** The host of the issuer; it listens on 127.0.0.1 either way. Default `127.0.0.1`. */
  readonly host?: '127.0.0.1' | 'localhost';
  /** Default 0: any free port. */
  readonly port?: number;
  /** Path of the issuer, such as `/tenant`, under which all endpoints are. None by default. */
  readonly path?: string;
  /** Clients that are registered beforehand; a resource server that introspects is one too. */
  readonly clients?: readonly TestClient[];
  /** The time in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Fetches the metadata documents of clients, and keys they point to. Default: the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /**
   * Answers what is no address of the authorization server, such as a protected server at the same origin. By default
   * the answer is 404.
   */
  readonly rest?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly limits?: TestAuthorizationLimits;
}

/** An authorization server in memory, for tests only. */
export interface TestAuthorizationServer {
  readonly issuer: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Public keys as they are served. */
  readonly jwks: JSONWebKeySet;
  /** Clients by their ids: registered beforehand, dynamically, and by documents that were fetched. */
  readonly clients: ReadonlyMap<string, TestClient>;
  /** The newest requests, in order. */
  readonly requests: readonly RecordedRequest[];
  /** How often an endpoint was asked. */
  count(endpoint: TestEndpoint): number;
  /** How often tokens were asked for, of one grant type or of any. */
  tokenRequests(grantType?: string): number;
  /**
   * Changes how it behaves from now on; what is not named stays as it is.
   * @throws TypeError or RangeError for what is misspelt or makes no sense.
   */
  behave(changes: AuthorizationBehaviour): void;
  /** Registers a client, or replaces it. */
  addClient(client: TestClient): void;
  /** Forgets a client. */
  removeClient(clientId: string): void;
  /**
   * Signs with a new key from now on.
   * @param keep - how many earlier keys are served still. Default 1.
   */
  rotateKeys(keep?: number): Promise<void>;
  /** Asks for another nonce in DPoP proofs from now on. */
  rotateNonce(): void;
  /** A token that nobody asked for at an endpoint. */
  issueToken(token?: TokenToIssue): Promise<string>;
  /** Revokes an access token, or a refresh token with all that came of the same grant. */
  revoke(token: string): void;
  /** Revokes all tokens and codes there are. */
  revokeAll(): void;
  /** Closes the port and every connection. Safe to call twice. */
  close(): Promise<void>;
  /** Closes at the end of an `await using` block. */
  [Symbol.asyncDispose](): Promise<void>;
}
