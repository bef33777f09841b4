import { BoundedMap } from '@tenon/foundation';
import type { JSONWebKeySet } from 'jose';
import { BoundedLog } from '../../bounded.js';
import { ClientRegistry, type DocumentFetching } from '../clients/client-registry.js';
import type { Rejection } from '../http/answer.js';
import type { RecordedRequest, TestEndpoint } from '../http/recorded-request.js';
import type { AuthorizationBehaviour, TestClient } from '../options/behaviour.js';
import {
  grantTypes,
  requireBehaviour,
  requireClient,
  type Settings,
  settingsOf,
} from '../options/settings.js';
import type { AuthorizationCode, DeviceCode, IssuedToken, PendingConsent } from './granted-access.js';
import { newSigningKey, type SigningKey } from './signed-jwt.js';

export interface AuthorityParts {
  readonly issuer: string;
  readonly behaviour: AuthorizationBehaviour;
  readonly key: SigningKey;
  readonly now: () => number;
  /** Maximum number of requests kept, and of entries of each other kind. */
  readonly most: { readonly requests: number; readonly entries: number };
  readonly fetching: DocumentFetching;
}

/** The state of a test authorization server, in memory. */
export class Authority {
  readonly issuer: string;
  readonly origin: string;
  readonly tokenEndpoint: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly #requests: BoundedLog<RecordedRequest>;
  /** By endpoint, and by grant type. */
  readonly #counts = new Map<string, number>();
  readonly registry: ClientRegistry;
  readonly codes: BoundedMap<string, AuthorizationCode>;
  readonly consents: BoundedMap<string, PendingConsent>;
  /** By device code. */
  readonly devices: BoundedMap<string, DeviceCode>;
  /** By their text. */
  readonly tokens: BoundedMap<string, IssuedToken>;
  readonly #used: BoundedMap<string, true>;
  /** The newest key signs, earlier ones may stay published. */
  keys: readonly [SigningKey, ...SigningKey[]];
  settings: Settings;
  /** The nonce that DPoP proofs must contain, if the server requires one. */
  nonce: string = randomText();
  #behaviour: AuthorizationBehaviour;

  constructor({ issuer, behaviour, key, now, most, fetching }: AuthorityParts) {
    this.issuer = issuer;
    this.origin = new URL(issuer).origin;
    this.tokenEndpoint = `${issuer}/token`;
    this.now = now;
    this.#requests = new BoundedLog(most.requests);
    this.registry = new ClientRegistry(most.entries, fetching);
    this.codes = new BoundedMap(most.entries);
    this.consents = new BoundedMap(most.entries);
    this.devices = new BoundedMap(most.entries);
    this.tokens = new BoundedMap(most.entries);
    this.#used = new BoundedMap(most.entries);
    this.keys = [key];
    this.#behaviour = behaviour;
    this.settings = settingsOf(behaviour);
  }

  get jwks(): JSONWebKeySet {
    return { keys: this.keys.map(({ jwk }) => jwk) };
  }

  get clients(): ReadonlyMap<string, TestClient> {
    return this.registry.clients;
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
    this.#behaviour = { ...this.#behaviour, ...changes };
    this.settings = settingsOf(this.#behaviour);
  }

  /** @param again - fetches the metadata document of the client even if the client is known */
  async findClient(clientId: string, again = false): Promise<TestClient | undefined> {
    return this.settings.clientIdDocuments ? this.registry.find(clientId, again) : this.clients.get(clientId);
  }

  addClient(client: TestClient): void {
    requireClient(client);
    this.registry.clients.set(client.clientId, client);
  }

  removeClient(clientId: string): void {
    this.registry.clients.delete(clientId);
  }

  async rotateKeys(keep = 1): Promise<void> {
    if (!Number.isSafeInteger(keep) || keep < 0)
      throw new RangeError(`rotateKeys needs the number of keys to keep, not ${keep}.`);
    this.keys = [await newSigningKey(), ...this.keys.slice(0, keep)];
  }

  rotateNonce(): void {
    this.nonce = randomText();
  }

  /** @throws the rejection if the name was used before. Names need no expiry: the assertions they belong to have one. */
  requireFirstUse(name: string, rejected: Rejection): void {
    if (this.#used.has(name)) throw rejected('it was used before');
    this.#used.set(name, true);
  }

  isActive({ spent, grant, claims: { exp, nbf } }: IssuedToken): boolean {
    const seconds = this.now() / 1_000;
    if (spent || grant.revoked || (typeof exp === 'number' && exp <= seconds)) return false;
    return !(typeof nbf === 'number' && nbf > seconds);
  }

  revoke(text: string): void {
    const token = this.tokens.get(text);
    if (token === undefined) return;
    token.spent = true;
    if (token.kind === 'refresh') token.grant.revoked = true;
  }

  revokeAll(): void {
    this.tokens.clear();
    this.codes.clear();
    this.devices.clear();
  }
}

/** Seconds since 1970, rounded down, as in tokens. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** Returns 256 random bits as letters, digits, `-` and `_`. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
