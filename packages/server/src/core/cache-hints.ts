import type { CacheHints } from '@tenon/mcp-protocol';

/** Cache hints of lists: how long, and by which callers, lists may be reused, in revisions with such hints. */
export interface CacheOptions {
  /** Milliseconds for which a list stays fresh. Default: 0. */
  readonly lists?: number;
  /**
   * True to let shared caches store lists that are the same for all callers although callers are authenticated. Such caches
   * return them to unauthenticated callers too. Default: false.
   */
  readonly shared?: boolean;
}

/** The scope in which a result may be reused. */
export type CacheScope = NonNullable<CacheHints['cacheScope']>;

/** Returns the scope of results that are the same for every caller, if callers are authenticated. */
export function scopeFor({ shared }: CacheOptions): CacheScope {
  return shared === true ? 'public' : 'private';
}

/** Returns the problem of a time to live; undefined if it is valid or absent. */
export function lifetimeProblem(ttl: number | undefined): string | undefined {
  return ttl === undefined || (Number.isSafeInteger(ttl) && ttl >= 0)
    ? undefined
    : `must be a whole number of milliseconds, 0 or more, not ${ttl}`;
}

/** Returns the problem of cache hints, to follow "a result"; undefined if there is none. */
export function hintsProblem({ ttlMs, cacheScope }: CacheHints): string | undefined {
  const problem = lifetimeProblem(ttlMs);
  if (problem !== undefined) return `has a "ttlMs" that ${problem}`;
  return cacheScope === undefined || cacheScope === 'public' || cacheScope === 'private'
    ? undefined
    : `has a "cacheScope" that is neither "public" nor "private": ${JSON.stringify(cacheScope)}`;
}
