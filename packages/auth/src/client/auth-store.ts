import type { JsonObject } from '@tenon/mcp-protocol';

/** Something that is kept, and which version of it this is. */
export interface Kept {
  readonly value: JsonObject;
  /** Another text for each change; a store need not count. */
  readonly version: string;
}

/**
 * Keeps tokens, registrations and sign-ins under way. Keys are short texts of letters, digits, `-`, `_` and `:` that hold
 * nothing secret; values are JSON and hold secrets: a store that outlives the process keeps them where only the user can read them.
 *
 * The keychain of a system makes such a store. It has no compare-and-swap and no locks: let `swap` read, compare and write within
 * `exclusively`, and take that from a `FileAuthStore` that keeps nothing but its lock files. Values have a few thousand
 * characters, which is more than some keychains take: there, keep a key in it, and what that encrypts in a file.
 */
export interface AuthStore {
  get(key: string): Kept | undefined | Promise<Kept | undefined>;
  /**
   * Keeps a value, or forgets it where it is undefined, if what is kept has still that version; undefined means that nothing
   * is kept.
   * @returns false when something else is kept by now, and nothing was changed.
   */
  swap(key: string, version: string | undefined, value: JsonObject | undefined): boolean | Promise<boolean>;
  /**
   * Runs a task while nobody else who shares the store runs one under the same key. Absent where the store is not shared
   * between processes. It rejects with what the task rejects with.
   */
  exclusively?<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}
