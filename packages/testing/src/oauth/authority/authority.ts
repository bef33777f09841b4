import { BoundedMap } from '../../bounded.js';
import { ClientRegistry } from '../clients/client-registry.js';
import type { DocumentFetching } from '../clients/document-fetcher.js';
import type { AuthorizationBehaviour } from '../options/behaviour.js';
import { type Settings, settingsOf } from '../options/settings.js';
import type { SigningKeys } from './signing-keys.js';
import { type AuthorizationCode, type PendingConsent, ReplayGuard, TokenStore } from './token-store.js';

/** Seconds since 1970, rounded down, as in tokens. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

/** The parts of an authority. */
export interface AuthorityParts {
  readonly issuer: string;
  readonly behaviour: AuthorizationBehaviour;
  readonly keys: SigningKeys;
  readonly now: () => number;
  /** Maximum number of entries of each kind. */
  readonly entries: number;
  readonly fetching: DocumentFetching;
}

/** The state of a test authorization server, in memory. */
export class Authority {
  readonly issuer: string;
  /** The URLs of the endpoints. */
  readonly endpoints: ReturnType<typeof endpointsOf>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly keys: SigningKeys;
  readonly registry: ClientRegistry;
  readonly codes: BoundedMap<string, AuthorizationCode>;
  readonly consents: BoundedMap<string, PendingConsent>;
  readonly tokens: TokenStore;
  readonly replays: ReplayGuard;
  /** The current settings. */
  settings: Settings;
  /** The nonce that DPoP proofs must contain, if the server requires one. */
  nonce: string = randomText();
  #behaviour: AuthorizationBehaviour;

  constructor({ issuer, behaviour, keys, now, entries, fetching }: AuthorityParts) {
    this.issuer = issuer;
    this.endpoints = endpointsOf(issuer);
    this.now = now;
    this.keys = keys;
    this.registry = new ClientRegistry(entries, fetching);
    this.codes = new BoundedMap(entries);
    this.consents = new BoundedMap(entries);
    this.tokens = new TokenStore(entries, now);
    this.replays = new ReplayGuard(entries, now);
    this.#behaviour = behaviour;
    this.settings = settingsOf(behaviour);
  }

  behave(changes: AuthorizationBehaviour): void {
    this.#behaviour = { ...this.#behaviour, ...changes };
    this.settings = settingsOf(this.#behaviour);
  }
}

function endpointsOf(issuer: string) {
  return {
    authorize: `${issuer}/authorize`,
    consent: `${issuer}/consent`,
    token: `${issuer}/token`,
    register: `${issuer}/register`,
    jwks: `${issuer}/jwks`,
    introspect: `${issuer}/introspect`,
    revoke: `${issuer}/revoke`,
  };
}

/** Returns 256 random bits as letters, digits, `-` and `_`. */
export function randomText(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}
