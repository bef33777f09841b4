import type { Clock } from '@tenon/mcp-server';
import type { PageEntry, PageStore, StoredEntry } from './page-store.js';

interface PageBounds {
  /** Entries, at most. Default: 10,000. */
  readonly entries?: number;
  /** Entries of one owner, at most. Default: 100. */
  readonly perOwner?: number;
  /** The clock, for tests. */
  readonly clock?: Pick<Clock, 'now'>;
}

interface Entry extends PageEntry {
  readonly version: string;
}

/** A store in the memory of this process. Past its bounds the oldest entry of the owner is dropped, then the oldest of all. */
export class MemoryPageStore implements PageStore {
  readonly #limit: number;
  readonly #perOwner: number;
  readonly #clock: Pick<Clock, 'now'>;
  /** Both maps are in the order of the last change. */
  readonly #entries = new Map<string, Entry>();
  readonly #byOwner = new Map<string, Set<string>>();
  #changes = 0;

  constructor({ entries = 10_000, perOwner = 100, clock = Date }: PageBounds = {}) {
    this.#limit = entries;
    this.#perOwner = perOwner;
    this.#clock = clock;
  }

  get(key: string): StoredEntry | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt > this.#clock.now()) return entry && structuredClone(entry);
    this.#remove(key);
    return undefined;
  }

  swap(key: string, version: string | undefined, entry: PageEntry | undefined): boolean {
    if (this.get(key)?.version !== version) return false;
    this.#remove(key);
    if (entry === undefined) return true;
    this.#changes += 1;
    const own = this.#byOwner.get(entry.owner) ?? new Set();
    this.#entries.set(key, { ...structuredClone(entry), version: String(this.#changes) });
    this.#byOwner.set(entry.owner, own.add(key));
    if (own.size > this.#perOwner) this.#removeFirst(own);
    if (this.#entries.size > this.#limit) this.#removeFirst(this.#entries.keys());
    return true;
  }

  #removeFirst(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#remove(key);
      return;
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    const own = this.#byOwner.get(entry.owner);
    own?.delete(key);
    if (own?.size === 0) this.#byOwner.delete(entry.owner);
  }
}
