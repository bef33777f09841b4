import { BoundedMap } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { JSONWebKeySet } from 'jose';
import { BoundedLog } from '../bounded.js';
import type { AuthorizationBehaviour, TestClient } from './behaviour.js';
import { clientAt, isDocumentAddress } from './clients.js';
import {
  check,
  type OauthProblem,
  type RecordedAuthorizationRequest,
  type RecordedRequest,
  type TestEndpoint,
} from './messages.js';
import { grantTypes, requireBehaviour, requireClient, type Settings, settingsOf } from './settings.js';
import { newSigningKey, type SigningKey } from './signed-jwt.js';
import type { TestAuthorizationServerOptions } from './test-authorization-server.js';

/** The access a user or client granted, shared by all tokens issued for it. */
export interface Grant {
  /** That of the first token. */
  readonly grantType: string;
  readonly clientId: string | undefined;
  /** Undefined if a client acts for itself. */
  readonly user: string | undefined;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** The authorization request, if there was one. */
  readonly request?: RecordedAuthorizationRequest;
  /** Thumbprint of the key the refresh tokens are bound to. */
  refreshKey?: string | undefined;
  revoked?: boolean;
}

/** A token or authorization code that was issued. */
export interface IssuedToken {
  readonly kind: 'access' | 'refresh' | 'code';
  readonly grant: Grant;
  readonly claims: JsonObject;
  /** True if it was revoked or can be used only once and was. */
  spent?: boolean;
}

/** An authorization request that waits for the user. */
export interface PendingRequest {
  readonly request: RecordedAuthorizationRequest;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** The code the user enters, if the request came from a device. */
  readonly userCode?: string;
  /** Time of the last token request of the device. */
  polledAt?: number;
  /** The result of the sign-in for the device. */
  outcome?: Grant | OauthProblem;
}

/** The state of a test authorization server, in memory. */
export class Authority {
  readonly issuer: string;
  readonly origin: string;
  readonly tokenEndpoint: string;
  readonly clients: BoundedMap<string, TestClient>;
  /** By id of the page. */
  readonly consents: BoundedMap<string, PendingRequest>;
  /** By device code. */
  readonly devices: BoundedMap<string, PendingRequest>;
  /** By their text. */
  readonly tokens: BoundedMap<string, IssuedToken>;
  /** The newest key signs, earlier ones may stay published. */
  keys: readonly [SigningKey, ...SigningKey[]];
  settings: Settings;
  /** The nonce that DPoP proofs must contain, if the server requires one. */
  nonce: string = randomText();
  #options: TestAuthorizationServerOptions;
  readonly #requests: BoundedLog<RecordedRequest>;
  /** By endpoint, and by grant type. */
  readonly #counts = new Map<string, number>();
  /** The clients known by their metadata documents. */
  readonly #fetched = new WeakSet<TestClient>();
  readonly #used: BoundedMap<string, true>;

  constructor(options: TestAuthorizationServerOptions, key: SigningKey, port: number) {
    this.#options = options;
    this.settings = settingsOf(options);
    const { host, path, clients, bounds } = this.settings;
    this.origin = `http://${host}:${port}`;
    this.issuer = this.origin + path;
    this.tokenEndpoint = `${this.issuer}/token`;
    this.#requests = new BoundedLog(bounds.requests);
    this.clients = new BoundedMap(bounds.entries);
    this.consents = new BoundedMap(bounds.entries);
    this.devices = new BoundedMap(bounds.entries);
    this.tokens = new BoundedMap(bounds.entries);
    this.#used = new BoundedMap(bounds.entries);
    this.keys = [key];
    for (const client of clients) this.addClient(client);
  }

  get jwks(): JSONWebKeySet {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  get requests(): readonly RecordedRequest[] {
    return this.#requests.entries;
  }

  count(endpoint: TestEndpoint): number {
    return this.#counts.get(endpoint) ?? 0;
  }

  tokenRequests(grantType = 'token'): number {
    return this.#counts.get(grantType) ?? 0;
  }

  record(request: RecordedRequest): void {
    const { endpoint, params } = request;
    this.#requests.add(request);
    // Unknown types are not counted: a client could send any number of them.
    const type = Object.values<string>(grantTypes).find((known) => known === params.grant_type);
    for (const kind of endpoint === 'token' && type !== undefined ? [endpoint, type] : [endpoint])
      this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  behave(changes: AuthorizationBehaviour): void {
    requireBehaviour(changes);
    this.#options = { ...this.#options, ...changes };
    this.settings = settingsOf(this.#options);
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.settings.now();
  }

  /** Seconds since 1970, rounded down, as in tokens. @param after - milliseconds from now */
  seconds(after = 0): number {
    return Math.floor((this.now() + after) / 1_000);
  }

  /** @param again - fetches the metadata document of the client even if the client is known */
  async findClient(clientId: string, again = false): Promise<TestClient | undefined> {
    const known = this.clients.get(clientId);
    const isCurrent = known !== undefined && !(again && this.#fetched.has(known));
    if (isCurrent || !this.settings.clientIdDocuments || !isDocumentAddress(clientId)) return known;
    const client = await clientAt(clientId, this.settings);
    this.clients.set(clientId, client);
    this.#fetched.add(client);
    return client;
  }

  addClient(client: TestClient): void {
    requireClient(client);
    this.clients.set(client.clientId, client);
  }

  removeClient(clientId: string): void {
    this.clients.delete(clientId);
  }

  async rotateKeys(keep = 1): Promise<void> {
    if (!Number.isSafeInteger(keep) || keep < 0)
      throw new RangeError(`rotateKeys needs the number of keys to keep, not ${keep}.`);
    this.keys = [await newSigningKey(), ...this.keys.slice(0, keep)];
  }

  rotateNonce(): void {
    this.nonce = randomText();
  }

  /** Marks a name as used; false if it was used before. Names need no expiry: the assertions they belong to have one. */
  use(name: string): boolean {
    const isNew = !this.#used.has(name);
    if (isNew) this.#used.set(name, true);
    return isNew;
  }

  isActive({ spent, grant, claims: { exp, nbf } }: IssuedToken): boolean {
    const seconds = this.now() / 1_000;
    const hasEnded = typeof exp === 'number' && exp <= seconds;
    const hasBegun = typeof nbf !== 'number' || nbf <= seconds;
    return !spent && !grant.revoked && !hasEnded && hasBegun;
  }

  /**
   * Returns the grant of a code or refresh token. A second use revokes all tokens of the grant.
   * @throws OauthProblem `invalid_grant`
   */
  redeem(text: string, kind: 'code' | 'refresh', clientId: string): IssuedToken {
    const token = this.tokens.get(text);
    const name = kind === 'code' ? 'The code' : 'The refresh token';
    const isTheirs = token?.kind === kind && token.grant.clientId === clientId;
    check(isTheirs, 'invalid_grant', `${name} is unknown, or was issued to another client.`);
    if (token.spent) token.grant.revoked = true;
    check(!token.spent, 'invalid_grant', `${name} was used before; all tokens of its grant are revoked.`);
    check(this.isActive(token), 'invalid_grant', `${name} has expired or was revoked.`);
    return token;
  }

  revoke(text: string): void {
    const token = this.tokens.get(text);
    if (token === undefined) return;
    token.spent = true;
    if (token.kind === 'refresh') token.grant.revoked = true;
  }

  revokeAll(): void {
    this.tokens.clear();
    this.devices.clear();
  }
}

/** Returns 256 random bits as letters, digits, `-` and `_`. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
