import type { JsonObject } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { AuthError } from '../auth-error.js';
import type { AuthStore, Kept } from './auth-store.js';

/** Bounds of a {@link MemoryAuthStore}. */
export interface MemoryAuthStoreOptions {
  /** Values kept; 1,000 by default. */
  readonly entries?: number;
  /** Characters of JSON kept in all; 16 Mi by default. */
  readonly characters?: number;
}

interface Entry {
  readonly text: string;
  readonly version: string;
}

/** Keeps what belongs to authorization for as long as the process lives. Past its bounds, what was used longest ago is forgotten. */
export class MemoryAuthStore implements AuthStore {
  readonly #entries: number;
  readonly #characters: number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, Entry>();
  #size = 0;
  #changes = 0;

  /** @throws RangeError for a bound that is not a positive number; TypeError for what is no bound. */
  constructor(options: MemoryAuthStoreOptions = {}) {
    const { positive } = optionRules;
    requireOptions('MemoryAuthStore', options, { entries: positive, characters: positive });
    const { entries = 1_000, characters = 16_777_216 } = options;
    this.#entries = entries;
    this.#characters = characters;
  }

  get(key: string): Kept | undefined {
    const entry = this.#kept.get(key);
    if (entry === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    // Parsed each time: whoever reads it gets objects of its own.
    return { value: JSON.parse(entry.text) as JsonObject, version: entry.version };
  }

  /** @throws AuthError `storage` for a value that is larger than all that may be kept. */
  swap(key: string, version: string | undefined, value: JsonObject | undefined): boolean {
    if (this.#kept.get(key)?.version !== version) return false;
    const text = value === undefined ? undefined : JSON.stringify(value);
    if (text !== undefined && text.length > this.#characters) {
      throw new AuthError('storage', `${text.length} characters are more than the store may keep in all.`);
    }
    this.#remove(key);
    if (text === undefined) return true;
    // One count for all keys: a key that is kept anew never has a version it had before.
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
