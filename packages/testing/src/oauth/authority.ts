import type { BoundedMap } from './bounded-map.js';
import type { ClientRegistry } from './clients/client-registry.js';
import type { PendingConsent } from './endpoints/pending-consent.js';
import type { AuthorizationCode } from './grants/code-record.js';
import type { Settings } from './options/settings.js';
import type { ReplayGuard } from './tokens/replay-guard.js';
import type { SigningKeys } from './tokens/signing-keys.js';
import type { TokenStore } from './tokens/token-store.js';

/** The URLs of the endpoints. */
export interface Endpoints {
  readonly authorize: string;
  readonly consent: string;
  readonly token: string;
  readonly register: string;
  readonly jwks: string;
  readonly introspect: string;
  readonly revoke: string;
}

/** The state of a test authorization server. */
export interface Authority {
  readonly issuer: string;
  readonly endpoints: Endpoints;
  /** The current settings. */
  readonly settings: Settings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly registry: ClientRegistry;
  readonly keys: SigningKeys;
  readonly codes: BoundedMap<string, AuthorizationCode>;
  readonly consents: BoundedMap<string, PendingConsent>;
  readonly tokens: TokenStore;
  readonly replays: ReplayGuard;
  /** The nonce DPoP proofs must contain, if the server requires one. */
  readonly nonce: string;
}

/** Seconds since 1970, rounded down, as in tokens. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
