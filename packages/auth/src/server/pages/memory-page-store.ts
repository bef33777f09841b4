import type { Clock } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import type { Kept } from '../../client/auth-store.js';
import { wallClock } from '../../wall-clock.js';
import type { PageEntry, PageStore } from './page-store.js';

/** Bounds of a {@link MemoryPageStore}. */
export interface MemoryPageStoreOptions {
  /** What is kept at the same time. Default 10,000. */
  readonly entries?: number;
  /** What is kept on one account. Default 100. */
  readonly perOwner?: number;
  /** Time, for tests. */
  readonly clock?: Pick<Clock, 'now'>;
}

interface Entry extends PageEntry {
  readonly version: string;
}

/** Keeps pages in this process. Past its bounds the oldest is forgotten: on one account its own, and only then that of others. */
export class MemoryPageStore implements PageStore {
  readonly #limit: number;
  readonly #perOwner: number;
  readonly #clock: Pick<Clock, 'now'>;
  /** Both in the order in which they were changed. */
  readonly #entries = new Map<string, Entry>();
  readonly #byOwner = new Map<string, Set<string>>();
  #changes = 0;

  /** @throws RangeError for a bound that is not a positive number; TypeError for what is no bound. */
  constructor(options: MemoryPageStoreOptions = {}) {
    const { positive, object } = optionRules;
    requireOptions('MemoryPageStore', options, { entries: positive, perOwner: positive, clock: object });
    const { entries = 10_000, perOwner = 100, clock = wallClock } = options;
    this.#limit = entries;
    this.#perOwner = perOwner;
    this.#clock = clock;
  }

  get(key: string): Kept | undefined {
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
