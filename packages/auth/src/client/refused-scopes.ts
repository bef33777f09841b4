import type { Clock } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';

/** How much is remembered of what was refused. */
export interface RefusedScopesBounds {
  /** Sets of scopes remembered; past it the oldest is forgotten. */
  readonly most: number;
  /** Milliseconds that a set is not asked for again. */
  readonly pause: number;
}

/** Errors that say nothing of what was asked for: the next time may end otherwise. */
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

/** Sets of scopes that were asked for and not given, so that nobody is asked for the same again and again. */
export class RefusedScopes {
  readonly #clock: Clock;
  readonly #bounds: RefusedScopesBounds;
  readonly #refusals = new Map<string, Refusal>();

  constructor(clock: Clock, bounds: RefusedScopesBounds) {
    this.#clock = clock;
    this.#bounds = bounds;
  }

  remember(issuer: string, scopes: readonly string[] | undefined, error: AuthError): void {
    const name = nameOf(issuer, scopes);
    this.#refusals.delete(name);
    this.#refusals.set(name, { until: this.#clock.now() + this.#bounds.pause, error });
    for (const oldest of this.#refusals.keys()) {
      if (this.#refusals.size <= this.#bounds.most) break;
      this.#refusals.delete(oldest);
    }
  }

  /** Remembers what went wrong with a sign-in, if it was that somebody said no. */
  rememberDenial(issuer: string, scopes: readonly string[] | undefined, error: AuthError): void {
    const isNo = error.reason === 'denied' && !otherReasons.has(error.oauthError);
    if (isNo) this.remember(issuer, scopes, error);
  }

  /** What to tell in place of asking again; undefined where it may be asked for. */
  recall(issuer: string, scopes: readonly string[] | undefined): AuthError | undefined {
    const name = nameOf(issuer, scopes);
    const refusal = this.#refusals.get(name);
    if (refusal === undefined) return undefined;
    const left = refusal.until - this.#clock.now();
    // More is left than there ever was when the clock was set back.
    if (left <= 0 || left > this.#bounds.pause) {
      this.#refusals.delete(name);
      return undefined;
    }
    const { reason, message, oauthError } = refusal.error;
    const seconds = Math.ceil(left / 1_000);
    return new AuthError(
      reason,
      `${message} It is not asked for again for ${seconds} s; signIn() asks at once.`,
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
