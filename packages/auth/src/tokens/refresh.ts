import type { Clock } from '@tenon/foundation';
import { AuthError } from '../auth-error.js';
import type { TokenOwner, TokenSet } from '../oauth/token-set.js';
import type { AuthStore } from '../store/auth-store.js';
import type { StoredTokenSet, StoredTokens } from './stored-tokens.js';

export interface RefreshJob {
  readonly stored: StoredTokens;
  readonly owner: TokenOwner;
  /** The access token that expired or was refused: any other token in the store is newer. */
  readonly outdated: string;
  readonly clock: Clock;
  /** Sends one request to the token endpoint. */
  renew(tokens: TokenSet, refreshToken: string): Promise<TokenSet>;
  /** Receives the refusal of a refresh token that is no longer valid. */
  onOver?(refusal: AuthError): void;
}

/** The result of a refresh. */
export interface Refreshed {
  readonly tokens: TokenSet;
  /** The error of the store, if the tokens could not be stored. */
  readonly unsaved?: unknown;
  /** After such an error: stores the tokens, unless the store has newer ones. */
  keep?(): Promise<unknown>;
}

const flights = new WeakMap<AuthStore, Map<string, Promise<Refreshed | undefined>>>();

/** Attempts to refresh, while other processes without a lock replace the refresh token. */
const rounds = 3;

/**
 * Replaces tokens by their refresh token. All processes that share the store refresh the same tokens one at a time; the later
 * ones read the tokens of the first.
 * https://www.rfc-editor.org/rfc/rfc6749#section-6
 * @returns undefined if there is no refresh token, or if it is no longer valid: it is deleted then.
 * @throws AuthError if the token endpoint cannot be reached or fails; the store is then unchanged.
 */
export async function refreshTokens(job: RefreshJob): Promise<Refreshed | undefined> {
  const { store } = job.stored;
  const key = await job.stored.keyOf(job.owner);
  const running = flights.get(store) ?? new Map<string, Promise<Refreshed | undefined>>();
  flights.set(store, running);
  const joined = running.get(key);
  if (joined !== undefined) return joined;
  const task = () => refreshOnce(job);
  const flight = store.exclusively?.(key, task) ?? task();
  running.set(key, flight);
  try {
    return await flight;
  } finally {
    running.delete(key);
  }
}

async function refreshOnce(job: RefreshJob): Promise<Refreshed | undefined> {
  const { stored, owner, outdated, clock } = job;
  for (let round = 0; round < rounds; round++) {
    const kept = await stored.read(owner);
    if (kept === undefined) return undefined;
    const { accessToken, expiresAt, refreshToken } = kept.tokens;
    if (accessToken !== outdated && (expiresAt === undefined || expiresAt > clock.now())) return kept;
    if (refreshToken === undefined) return undefined;
    try {
      return await replaced(job, kept, await job.renew(kept.tokens, refreshToken));
    } catch (error) {
      if (!isOver(error)) throw error;
      job.onOver?.(error);
    }
    // Deletes only the token that was refused; if the store has a newer one, the next round uses it.
    if (await stored.replace(owner, kept.version, { ...kept.tokens, refreshToken: undefined }))
      return undefined;
  }
  return undefined;
}

async function replaced(
  job: RefreshJob,
  kept: StoredTokenSet,
  got: TokenSet,
): Promise<Refreshed | undefined> {
  const { stored, owner } = job;
  const { refreshToken, scopes, requested, dpopKey } = kept.tokens;
  const tokens: TokenSet = {
    ...got,
    refreshToken: got.refreshToken ?? refreshToken,
    scopes: got.scopes ?? scopes,
    requested,
    dpopKey: got.dpopKey ?? dpopKey,
  };
  const keep = async () => {
    const there = await stored.renew(owner, kept, tokens);
    return there && { tokens: there };
  };
  try {
    return await keep();
  } catch (unsaved) {
    // The old refresh token may be used up: only this result has the new one.
    return { tokens, unsaved, keep };
  }
}

/** Errors about the client or its proof: the refresh token may be valid. */
const otherErrors: ReadonlySet<string> = new Set(['invalid_client', 'invalid_dpop_proof', 'use_dpop_nonce']);

/** Statuses of proxies and of servers that are busy; a later answer may differ. */
const temporary: ReadonlySet<number> = new Set([407, 408, 425, 429]);

/**
 * True if the refresh token is no longer valid. Many servers say so without the code `invalid_grant`; any answer but that of a
 * failing server counts, because the same request would fail again and again.
 */
function isOver(error: unknown): error is AuthError {
  if (!(error instanceof AuthError)) return false;
  const { oauthError, answerStatus, reason } = error;
  if (oauthError !== undefined) return reason !== 'unreachable' && !otherErrors.has(oauthError);
  return answerStatus !== undefined && answerStatus < 500 && !temporary.has(answerStatus);
}
