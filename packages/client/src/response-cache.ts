import { optionRules, requireOptions } from '@tenon/mcp-session/internal';

/** Where one response is kept. */
export interface CachePlace {
  /** Which responses are forgotten together: those of one method, server and audience. */
  readonly group: string;
  /** Which of them. */
  readonly key: string;
}

/** One response as it is kept. */
export interface CachedResponse {
  /** The result as JSON: whoever reads it gets objects of its own. */
  readonly text: string;
  /** When it was received, in milliseconds of the clock of the clients. */
  readonly receivedAt: number;
  /** Milliseconds for which it is fresh from then on; more than 0. */
  readonly ttlMs: number;
}

/**
 * Keeps responses while they are fresh. One may serve several clients of a process, if they have the same clock.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface ResponseCache {
  /** A point in time, to be given to `set`: what was forgotten after it must not come back. */
  mark(): number;
  /** The text kept at a place, if it is fresh at `now`. */
  get(place: CachePlace, now: number): string | undefined;
  /** Keeps a response that was asked for at `mark`, unless its group was dropped since. */
  set(place: CachePlace, response: CachedResponse, mark: number): void;
  /** Forgets one response. */
  delete(place: CachePlace): void;
  /** Forgets a group, or those of its keys that `which` picks. */
  drop(group: string, which?: (key: string) => boolean): void;
}

/** Bounds of a {@link MemoryCache}. */
export interface MemoryCacheLimits {
  /** Responses kept; 1,000 by default. */
  readonly entries?: number;
  /** Characters kept in all; 16 Mi by default. A longer response is not kept. */
  readonly characters?: number;
  /** Milliseconds a response is fresh at most, whatever its server says; 24 hours by default. */
  readonly lifetime?: number;
}

interface Entry extends CachePlace {
  readonly text: string;
  readonly staleAt: number;
}

/** A {@link ResponseCache} in memory. What was used longest ago goes first; no timer is needed. */
export class MemoryCache implements ResponseCache {
  readonly #limits: Required<MemoryCacheLimits>;
  readonly #groups = new Map<string, Map<string, Entry>>();
  /** In the order of their last use. */
  readonly #used = new Set<Entry>();
  /** When each group was last dropped; what is not in it was dropped by `#floor` at the latest. */
  readonly #dropped = new Map<string, number>();
  #floor = 0;
  #drops = 0;
  #characters = 0;

  /** @throws RangeError for a bound that is not a positive number; TypeError for what is no bound. */
  constructor(limits: MemoryCacheLimits = {}) {
    const { positive } = optionRules;
    requireOptions('MemoryCache', limits, { entries: positive, characters: positive, lifetime: positive });
    const { entries = 1_000, characters = 16_777_216, lifetime = 86_400_000 } = limits;
    this.#limits = { entries, characters, lifetime };
  }

  /** Responses kept at present. */
  get size(): number {
    return this.#used.size;
  }

  mark(): number {
    return this.#drops;
  }

  get({ group, key }: CachePlace, now: number): string | undefined {
    const entry = this.#groups.get(group)?.get(key);
    if (entry === undefined) return undefined;
    if (now >= entry.staleAt) {
      this.#remove(entry);
      return undefined;
    }
    this.#used.delete(entry);
    this.#used.add(entry);
    return entry.text;
  }

  set(place: CachePlace, { text, receivedAt, ttlMs }: CachedResponse, mark: number): void {
    if ((this.#dropped.get(place.group) ?? this.#floor) > mark) return;
    this.delete(place);
    const entry = { ...place, text, staleAt: receivedAt + Math.min(ttlMs, this.#limits.lifetime) };
    if (sizeOf(entry) > this.#limits.characters) return;
    const entries = this.#groups.get(place.group) ?? new Map<string, Entry>();
    this.#groups.set(place.group, entries.set(place.key, entry));
    this.#used.add(entry);
    this.#characters += sizeOf(entry);
    for (const oldest of this.#used) {
      if (this.#used.size <= this.#limits.entries && this.#characters <= this.#limits.characters) return;
      this.#remove(oldest);
    }
  }

  delete({ group, key }: CachePlace): void {
    const entry = this.#groups.get(group)?.get(key);
    if (entry !== undefined) this.#remove(entry);
  }

  drop(group: string, which?: (key: string) => boolean): void {
    this.#dropped.delete(group);
    this.#dropped.set(group, ++this.#drops);
    for (const [oldest, at] of this.#dropped) {
      if (this.#dropped.size <= this.#limits.entries) break;
      this.#dropped.delete(oldest);
      this.#floor = at;
    }
    for (const entry of [...(this.#groups.get(group)?.values() ?? [])]) {
      if (which?.(entry.key) !== false) this.#remove(entry);
    }
  }

  #remove(entry: Entry): void {
    if (!this.#used.delete(entry)) return;
    this.#characters -= sizeOf(entry);
    const entries = this.#groups.get(entry.group);
    entries?.delete(entry.key);
    if (entries?.size === 0) this.#groups.delete(entry.group);
  }
}

function sizeOf({ group, key, text }: CachePlace & { readonly text: string }): number {
  return group.length + key.length + text.length;
}
