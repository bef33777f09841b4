import type { JsonObject } from '@tenon/mcp-protocol';
import type { Kept } from '../../client/auth-store.js';

/** Something that is kept until its time is over. */
export interface PageEntry {
  readonly value: JsonObject;
  /** On whose account it is kept: who has too much gives up his own. */
  readonly owner: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Keeps pages that wait for a user, and who has signed in for them. Keys are short texts of letters, digits, `-`, `_` and
 * `:`, and show nobody's way in; values are JSON, and hold what the pages are about. Every implementation is bounded.
 */
export interface PageStore {
  /** Undefined for what is not kept, or whose time is over. */
  get(key: string): Kept | undefined | Promise<Kept | undefined>;
  /**
   * Keeps something, or forgets it where it is undefined, if what is kept has still that version; undefined means that nothing
   * is kept.
   * @returns false when something else is kept by now, and nothing was changed.
   */
  swap(key: string, version: string | undefined, entry: PageEntry | undefined): boolean | Promise<boolean>;
}
