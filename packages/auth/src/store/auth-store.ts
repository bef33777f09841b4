import type { JsonObject } from '@tenon/mcp-protocol';

/** A value in a store, with its version. */
export interface StoredEntry {
  readonly value: JsonObject;
  /** Changes with each change of the value; any text. */
  readonly version: string;
}

/**
 * A store for tokens, registrations and pending sign-ins. Keys are short texts of letters, digits, `-`, `_` and `:` without
 * secrets. Values are JSON and contain secrets: a store that outlives the process must protect them, so that only the user can
 * read them.
 *
 * A store on the keychain of the operating system, which has no compare-and-swap and no locks, can take `exclusively` from a
 * `FileAuthStore` that contains nothing but its lock files, and read, compare and write in it for `swap`. Values have a few
 * thousand characters, which is too much for some keychains: store a key there, and the values encrypted in a file.
 */
export interface AuthStore {
  get(key: string): StoredEntry | undefined | Promise<StoredEntry | undefined>;
  /**
   * Writes a value, or deletes it if `value` is undefined, provided that the entry still has this version; an undefined version
   * means that there is no entry.
   * @returns false if the entry has another version; nothing is changed then.
   */
  swap(key: string, version: string | undefined, value: JsonObject | undefined): boolean | Promise<boolean>;
  /**
   * Runs a task while no other user of the store runs one under the same key. Absent in stores that only one process uses.
   * @throws the error of the task.
   */
  exclusively?<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}
