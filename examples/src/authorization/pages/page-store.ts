import type { JsonObject } from '@tenon/mcp-server';

/** A value with the version under which it is stored. */
export interface StoredEntry {
  readonly value: JsonObject;
  readonly version: string;
}

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

/** Writes at most, until a change gives up. */
const mostAttempts = 100;

/**
 * Changes an entry on top of what other processes have written.
 * @param next - returns the entry for the stored value, undefined to delete it, or `keep`. Called again if the entry has changed
 * meanwhile.
 * @returns the value after this change.
 */
export async function changeEntry(
  store: PageStore,
  key: string,
  next: (value: JsonObject | undefined) => PageEntry | 'keep' | undefined,
): Promise<JsonObject | undefined> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const kept = await store.get(key);
    const entry = next(kept?.value);
    if (entry === 'keep') return kept?.value;
    if (await store.swap(key, kept?.version, entry)) return entry?.value;
  }
  throw new Error('The store changed during every attempt to write to it: try again later.');
}
