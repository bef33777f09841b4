import type { JsonObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { AuthStore, StoredEntry } from './auth-store.js';

/** Entries of a store. */
const mostEntries = 1_000;
/** Characters of JSON in all its entries. */
const mostCharacters = 16_777_216;

interface Entry {
  readonly text: string;
  readonly version: string;
}

/** A store in the memory of the process. Past its bounds the least recently used entries are dropped. */
export class MemoryAuthStore implements AuthStore {
  /** By key, the least recently used first. */
  readonly #kept = new Map<string, Entry>();
  #size = 0;
  #changes = 0;

  get(key: string): StoredEntry | undefined {
    const entry = this.#kept.get(key);
    if (entry === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    // Parsed for each call, so that callers can change their copy.
    return { value: JSON.parse(entry.text) as JsonObject, version: entry.version };
  }

  /** @throws AuthError `storage` if the value alone exceeds the bound of all values. */
  swap(key: string, version: string | undefined, value: JsonObject | undefined): boolean {
    if (this.#kept.get(key)?.version !== version) return false;
    const text = value === undefined ? undefined : JSON.stringify(value);
    if (text !== undefined && text.length > mostCharacters) {
      throw new AuthError(
        'storage',
        `MemoryAuthStore: a value of ${text.length} characters exceeds the bound of ${mostCharacters}.`,
      );
    }
    this.#remove(key);
    if (text === undefined) return true;
    // One counter for all keys, so that an entry never has a version twice, even after it was deleted.
    this.#kept.set(key, { text, version: String(++this.#changes) });
    this.#size += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostEntries && this.#size <= mostCharacters) break;
      this.#remove(oldest);
    }
    return true;
  }

  #remove(key: string): void {
    this.#size -= this.#kept.get(key)?.text.length ?? 0;
    this.#kept.delete(key);
  }
}
