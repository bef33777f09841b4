import { BoundedMap, type Clock } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';

export interface RefusedScopesBounds {
  /** Sets of scopes that are remembered, at most; the oldest is dropped first. */
  readonly most: number;
  /** Milliseconds that a refused set is not requested again. */
  readonly pause: number;
}

/** Errors that do not depend on the requested scopes: the next request may succeed. */
const otherReasons: ReadonlySet<string | undefined> = new Set([
  'invalid_client',
  'invalid_dpop_proof',
  'invalid_grant',
  'server_error',
  'temporarily_unavailable',
]);

interface Refusal {
  readonly until: number;
  readonly error: AuthError;
}

/** Remembers the sets of scopes that were refused, so that the client does not request them, or prompt the user, repeatedly. */
export class RefusedScopes {
  readonly #clock: Clock;
  readonly #pause: number;
  readonly #refusals: BoundedMap<string, Refusal>;

  constructor(clock: Clock, bounds: RefusedScopesBounds) {
    this.#clock = clock;
    this.#pause = bounds.pause;
    this.#refusals = new BoundedMap(bounds.most);
  }

  remember(issuer: string, scopes: readonly string[] | undefined, error: AuthError): void {
    this.#refusals.set(nameOf(issuer, scopes), { until: this.#clock.now() + this.#pause, error });
  }

  /** Remembers the error of a sign-in if the user or the authorization server denied access. */
  rememberDenial(issuer: string, scopes: readonly string[] | undefined, error: AuthError): void {
    const isNo = error.reason === 'denied' && !otherReasons.has(error.oauthError);
    if (isNo) this.remember(issuer, scopes, error);
  }

  /** Returns the error for scopes that were refused recently; undefined if they may be requested. */
  recall(issuer: string, scopes: readonly string[] | undefined): AuthError | undefined {
    const name = nameOf(issuer, scopes);
    const refusal = this.#refusals.get(name);
    if (refusal === undefined) return undefined;
    const left = refusal.until - this.#clock.now();
    // More time left than the whole pause: the clock was set back.
    if (left <= 0 || left > this.#pause) {
      this.#refusals.delete(name);
      return undefined;
    }
    const { reason, message, oauthError } = refusal.error;
    const seconds = Math.ceil(left / 1_000);
    return new AuthError(
      reason,
      `${message} It is not requested again for ${seconds} s; signIn() requests it at once.`,
      { ...(oauthError !== undefined && { oauthError }) },
    );
  }

  clear(): void {
    this.#refusals.clear();
  }
}

function nameOf(issuer: string, scopes: readonly string[] | undefined): string {
  return JSON.stringify([issuer, scopes === undefined ? null : [...scopes].sort()]);
}
