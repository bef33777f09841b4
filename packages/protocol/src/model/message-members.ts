import type { Meta } from './annotations.js';

export interface PageParams {
  /** Opaque; an empty string is a cursor too. */
  readonly cursor?: string;
  readonly _meta?: Meta;
}

export interface PageResult {
  readonly nextCursor?: string;
  readonly _meta?: Meta;
}

/** The time and the callers for which a result may be reused; 2026-07-28 and later. */
export interface CacheHints {
  /** Milliseconds; 0 means stale at once. */
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
}

/** The result of a request that succeeded and returns nothing. */
export interface EmptyResult {
  readonly _meta?: Meta;
}

/** The answers and the state that a repeated call sends. */
export interface InputAnswers {
  readonly inputResponses?: { readonly [key: string]: unknown };
  readonly requestState?: string;
}
