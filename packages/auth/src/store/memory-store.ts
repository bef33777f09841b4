import { optionRules, requireOptions } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { AuthStore, StoredEntry } from './auth-store.js';

/** Bounds of a {@link MemoryAuthStore}. */
export interface MemoryAuthStoreOptions {
  /** Entries, at most; 1,000 by default. */
  readonly entries?: number;
  /** Characters of JSON in all entries, at most; 16 Mi by default. */
  readonly characters?: number;
}

interface Entry {
  readonly text: string;
  readonly version: string;
}

/** A store in the memory of the process. Past its bounds the least recently used entries are dropped. */
export class MemoryAuthStore implements AuthStore {
  readonly #entries: number;
  readonly #characters: number;
  /** By key, the least recently used first. */
  readonly #kept = new Map<string, Entry>();
  #size = 0;
  #changes = 0;

  /** @throws RangeError or TypeError if a bound is not a positive number. */
  constructor(options: MemoryAuthStoreOptions = {}) {
    const { positive } = optionRules;
    requireOptions('MemoryAuthStore', options, { entries: positive, characters: positive });
    const { entries = 1_000, characters = 16_777_216 } = options;
    this.#entries = entries;
    this.#characters = characters;
  }

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
    if (text !== undefined && text.length > this.#characters) {
      throw new AuthError(
        'storage',
        `MemoryAuthStore: a value of ${text.length} characters exceeds the option characters (${this.#characters}).`,
      );
    }
    this.#remove(key);
    if (text === undefined) return true;
    // One counter for all keys, so that an entry never has a version twice, even after it was deleted.
    this.#kept.set(key, { text, version: String(++this.#changes) });
    this.#size += text.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#entries && this.#size <= this.#characters) break;
      this.#remove(oldest);
    }
    return true;
  }

  #remove(key: string): void {
    this.#size -= this.#kept.get(key)?.text.length ?? 0;
    this.#kept.delete(key);
  }
}
