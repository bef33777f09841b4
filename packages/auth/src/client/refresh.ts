import type { Clock } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { AuthStore } from './auth-store.js';
import type { KeptTokens, StoredTokens, TokenOwner } from './stored-tokens.js';
import type { TokenSet } from './token-set.js';

/** Tokens that have to be replaced. */
export interface RefreshJob {
  readonly stored: StoredTokens;
  readonly owner: TokenOwner;
  /** The access token that expired, or was refused: any other one that is kept is newer. */
  readonly worn: string;
  readonly clock: Clock;
  /** Asks the token endpoint, once. */
  renew(tokens: TokenSet, refreshToken: string): Promise<TokenSet>;
}

/** What came of it. */
export interface Refreshed {
  readonly tokens: TokenSet;
  /** Why the store does not have them; undefined where it has. */
  readonly unsaved?: unknown;
  /** Where it has not: has them kept, unless it has others by then. */
  keep?(): Promise<unknown>;
}

const flights = new WeakMap<AuthStore, Map<string, Promise<Refreshed | undefined>>>();

/** How often a refresh is tried whose token somebody else used up meanwhile. */
const rounds = 3;

/**
 * Replaces tokens by their refresh token: one at a time for the same tokens in all processes that share the store, and
 * whoever comes second takes what the first one got.
 * https://www.rfc-editor.org/rfc/rfc6749#section-6
 * @returns undefined when there is no refresh token, or it is not good any more: it is forgotten then, and no other.
 * @throws AuthError when the token endpoint cannot be reached or fails; then everything is kept as it was.
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
  const { stored, owner, worn, clock } = job;
  for (let round = 0; round < rounds; round++) {
    const kept = await stored.read(owner);
    if (kept === undefined) return undefined;
    const { accessToken, expiresAt, refreshToken } = kept.tokens;
    if (accessToken !== worn && (expiresAt === undefined || expiresAt > clock.now())) return kept;
    if (refreshToken === undefined) return undefined;
    try {
      return await replaced(job, kept, await job.renew(kept.tokens, refreshToken));
    } catch (error) {
      if (!isOver(error)) throw error;
    }
    // Only the very token that was refused: a newer one that came meanwhile is tried in the next round.
    if (await stored.replace(owner, kept.version, { ...kept.tokens, refreshToken: undefined }))
      return undefined;
  }
  return undefined;
}

async function replaced(job: RefreshJob, kept: KeptTokens, got: TokenSet): Promise<Refreshed | undefined> {
  const { stored, owner } = job;
  const { refreshToken, scopes, requested, dpopKey } = kept.tokens;
  const tokens: TokenSet = {
    ...got,
    refreshToken: got.refreshToken ?? refreshToken,
    scopes: got.scopes ?? scopes,
    requested,
    dpopKey: got.dpopKey ?? dpopKey,
  };
  const keep = () => put(stored, owner, { before: kept, tokens });
  try {
    return await keep();
  } catch (unsaved) {
    // The old refresh token may be used up: what there is now is in these tokens alone.
    return { tokens, unsaved, keep };
  }
}

/** Keeps tokens in place of those they were got for. @returns those that everybody has then. */
async function put(
  stored: StoredTokens,
  owner: TokenOwner,
  { before, tokens }: { readonly before: KeptTokens; readonly tokens: TokenSet },
): Promise<Refreshed | undefined> {
  for (let there = before, round = 0; round < rounds; round++) {
    if (await stored.replace(owner, there.version, tokens)) return { tokens };
    const other = await stored.read(owner);
    // Somebody signed out, or came first without a lock: then his are the ones that everybody has.
    if (other === undefined || other.tokens.accessToken !== before.tokens.accessToken) return other;
    // He came second with the same refresh token, and found it used up.
    there = other;
  }
  throw new AuthError('storage', 'The store changes faster than anything can be kept in it.');
}

/** The refresh token is not good any more. */
function isOver(error: unknown): boolean {
  return error instanceof AuthError && error.oauthError === 'invalid_grant';
}
