/** The place of one response. */
export interface CachePlace {
  /** The group of responses that are dropped together: those of one method, server and scope. */
  readonly group: string;
  /** The key within the group. */
  readonly key: string;
}

/** One stored response. */
export interface CachedResponse {
  /** The result as JSON: each reader parses objects of its own. */
  readonly text: string;
  /** The time of its arrival, in milliseconds of the clients' clock. */
  readonly receivedAt: number;
  /** Milliseconds for which it is fresh; more than 0. */
  readonly ttlMs: number;
}

/**
 * Stores responses while they are fresh. One cache may serve several clients of a process with the same clock.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 */
export interface ResponseCache {
  /** Returns a point in time for `set`: a group dropped after it must not come back. */
  mark(): number;
  /** Returns the text of a place, if it is fresh at `now`. */
  get(place: CachePlace, now: number): string | undefined;
  /** Stores a response that was requested at `mark`, unless its group was dropped since. */
  set(place: CachePlace, response: CachedResponse, mark: number): void;
  /** Drops one response. */
  delete(place: CachePlace): void;
  /** Drops a group, or the keys for which `which` returns true. */
  drop(group: string, which?: (key: string) => boolean): void;
}

/** Bounds of a cache. */
export interface CacheBounds {
  /** Stored responses. */
  readonly entries: number;
  /** Characters of all stored responses. A longer response is not stored. */
  readonly characters: number;
  /** The longest time to live in milliseconds, whatever the server sends. */
  readonly lifetime: number;
}

interface Entry extends CachePlace {
  readonly text: string;
  readonly staleAt: number;
}

/** A cache in memory within bounds. The least recently used response is dropped first; there is no timer. */
export class BoundedCache implements ResponseCache {
  readonly #bounds: CacheBounds;
  readonly #groups = new Map<string, Map<string, Entry>>();
  /** In the order of their last use. */
  readonly #used = new Set<Entry>();
  /** The time at which each group was last dropped; groups that are not listed were dropped before `#floor`. */
  readonly #dropped = new Map<string, number>();
  #floor = 0;
  #drops = 0;
  #characters = 0;

  constructor(bounds: CacheBounds) {
    this.#bounds = bounds;
  }

  /** The number of stored responses. */
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
    const entry = { ...place, text, staleAt: receivedAt + Math.min(ttlMs, this.#bounds.lifetime) };
    if (sizeOf(entry) > this.#bounds.characters) return;
    const entries = this.#groups.get(place.group) ?? new Map<string, Entry>();
    this.#groups.set(place.group, entries.set(place.key, entry));
    this.#used.add(entry);
    this.#characters += sizeOf(entry);
    for (const oldest of this.#used) {
      if (this.#used.size <= this.#bounds.entries && this.#characters <= this.#bounds.characters) return;
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
      if (this.#dropped.size <= this.#bounds.entries) break;
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

/** A {@link ResponseCache} in memory: for 1,000 responses of 16 Mi characters together, each for a day at most. */
export class MemoryCache extends BoundedCache {
  constructor() {
    super({ entries: 1_000, characters: 16_777_216, lifetime: 86_400_000 });
  }
}

function sizeOf({ group, key, text }: CachePlace & { readonly text: string }): number {
  return group.length + key.length + text.length;
}
