import type { BoundedMap } from './bounded-map.js';
import type { ClientRegistry } from './clients/client-registry.js';
import type { PendingConsent } from './endpoints/pending-consent.js';
import type { AuthorizationCode } from './grants/code-record.js';
import type { Settings } from './settings.js';
import type { ReplayGuard } from './tokens/replay-guard.js';
import type { SigningKeys } from './tokens/signing-keys.js';
import type { TokenStore } from './tokens/token-store.js';

/** Addresses of the endpoints. */
export interface Endpoints {
  readonly authorize: string;
  readonly consent: string;
  readonly token: string;
  readonly register: string;
  readonly jwks: string;
  readonly introspect: string;
  readonly revoke: string;
}

/** All that a test authorization server knows. */
export interface Authority {
  readonly issuer: string;
  readonly endpoints: Endpoints;
  /** As they are now. */
  readonly settings: Settings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly registry: ClientRegistry;
  readonly keys: SigningKeys;
  readonly codes: BoundedMap<string, AuthorizationCode>;
  readonly consents: BoundedMap<string, PendingConsent>;
  readonly tokens: TokenStore;
  readonly replays: ReplayGuard;
  /** The nonce that DPoP proofs must have, where one is asked for. */
  readonly nonce: string;
}

/** The time in whole seconds, as tokens count it. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
