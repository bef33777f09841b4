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

/** How long and by whom a result may be reused; 2026-07-28 and later. */
export interface CacheHints {
  /** Milliseconds; 0 means stale at once. */
  readonly ttlMs?: number;
  readonly cacheScope?: 'public' | 'private';
}

/** A result that says nothing but that the request succeeded. */
export interface EmptyResult {
  readonly _meta?: Meta;
}
