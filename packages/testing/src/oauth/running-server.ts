import type { Server } from 'node:http';
import type { JSONWebKeySet } from 'jose';
import { type Authority, randomText } from './authority/authority.js';
import type { RecordedRequest, TestEndpoint } from './http/recorded-request.js';
import type { RequestLog } from './http/request-log.js';
import type { AuthorizationBehaviour, TestClient } from './options/behaviour.js';
import { requireBehaviour, requireClient } from './options/checks.js';
import type { TestAuthorizationServer } from './options/test-authorization-server.js';
import type { TokenToIssue } from './options/token-to-issue.js';
import { mintToken } from './tokens/minting.js';

/** The running server, as a test uses it. */
export class RunningServer implements TestAuthorizationServer {
  readonly issuer: string;
  readonly origin: string;
  readonly #authority: Authority;
  readonly #log: RequestLog;
  readonly #server: Server;
  #closing: Promise<void> | undefined;

  constructor(authority: Authority, log: RequestLog, server: Server) {
    this.issuer = authority.issuer;
    this.origin = new URL(authority.issuer).origin;
    this.#authority = authority;
    this.#log = log;
    this.#server = server;
  }

  get jwks(): JSONWebKeySet {
    return this.#authority.keys.jwks;
  }

  get clients(): ReadonlyMap<string, TestClient> {
    return this.#authority.registry.clients;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#log.requests;
  }

  count(endpoint: TestEndpoint): number {
    return this.#log.count(endpoint);
  }

  tokenRequests(grantType?: string): number {
    return this.#log.tokenRequests(grantType);
  }

  behave(changes: AuthorizationBehaviour): void {
    requireBehaviour(changes);
    this.#authority.behave(changes);
  }

  addClient(client: TestClient): void {
    requireClient(client);
    this.#authority.registry.clients.set(client.clientId, client);
  }

  removeClient(clientId: string): void {
    this.#authority.registry.clients.delete(clientId);
  }

  async rotateKeys(keep = 1): Promise<void> {
    if (!Number.isSafeInteger(keep) || keep < 0)
      throw new RangeError(`rotateKeys needs the number of keys to keep, not ${keep}.`);
    await this.#authority.keys.rotate(keep);
  }

  rotateNonce(): void {
    this.#authority.nonce = randomText();
  }

  issueToken(token: TokenToIssue = {}): Promise<string> {
    return mintToken(token, this.#authority);
  }

  revoke(token: string): void {
    this.#authority.tokens.revoke(token);
  }

  revokeAll(): void {
    this.#authority.tokens.clear();
    this.#authority.codes.clear();
  }

  close(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
