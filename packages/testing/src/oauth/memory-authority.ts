import type { Authority, Endpoints } from './authority.js';
import { BoundedMap } from './bounded-map.js';
import { ClientRegistry } from './clients/client-registry.js';
import type { DocumentFetching } from './clients/document-fetcher.js';
import type { PendingConsent } from './endpoints/pending-consent.js';
import type { AuthorizationCode } from './grants/code-record.js';
import type { AuthorizationBehaviour } from './options/behaviour.js';
import { type Settings, settingsOf } from './options/settings.js';
import { randomText } from './random-text.js';
import { ReplayGuard } from './tokens/replay-guard.js';
import type { SigningKeys } from './tokens/signing-keys.js';
import { TokenStore } from './tokens/token-store.js';

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
export class MemoryAuthority implements Authority {
  readonly issuer: string;
  readonly endpoints: Endpoints;
  readonly now: () => number;
  readonly keys: SigningKeys;
  readonly registry: ClientRegistry;
  readonly codes: BoundedMap<string, AuthorizationCode>;
  readonly consents: BoundedMap<string, PendingConsent>;
  readonly tokens: TokenStore;
  readonly replays: ReplayGuard;
  settings: Settings;
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

function endpointsOf(issuer: string): Endpoints {
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
