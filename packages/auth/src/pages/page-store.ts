import type { JsonObject } from '@tenon/mcp-protocol';
import type { AuthStore, StoredEntry } from '../store/auth-store.js';

/** An entry that expires. */
export interface PageEntry {
  readonly value: JsonObject;
  /** The owner of the entry. If there are too many, entries of the same owner are dropped first. */
  readonly owner: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A store for pages and for sign-ins of their users. Keys are short texts of letters, digits, `-`, `_` and `:` that give no
 * access to a page; values are JSON with the data of the pages. Every implementation is bounded.
 */
export interface PageStore {
  /** Returns undefined if there is no entry, or if it has expired. */
  get(key: string): StoredEntry | undefined | Promise<StoredEntry | undefined>;
  /**
   * Writes an entry, or deletes it if `entry` is undefined, provided that the stored entry still has this version; an undefined
   * version means that there is no entry.
   * @returns false if the stored entry has another version; nothing is changed then.
   */
  swap(key: string, version: string | undefined, entry: PageEntry | undefined): boolean | Promise<boolean>;
}

/** Returns the values of a page store. @param entryOf - returns the entry to write for a value. */
export function valuesOf(
  store: PageStore,
  entryOf: (value: JsonObject) => PageEntry,
): Pick<AuthStore, 'get' | 'swap'> {
  return {
    get: (key) => store.get(key),
    swap: (key, version, value) => store.swap(key, version, value && entryOf(value)),
  };
}
