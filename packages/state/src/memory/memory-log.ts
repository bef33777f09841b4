import { ExpiringMap } from '../expiring-map.js';
import { byteLength, requireKey, requireTtl, requireValue, stateLimits } from '../keys.js';
import type { AppendOptions, LogPage, LogStore, Retention } from '../state.js';
import type { MemoryShared } from './memory-budget.js';
import type { MemoryLeases } from './memory-leases.js';

interface Entry {
  readonly value: string;
  readonly bytes: number;
  readonly at: number;
}

/** One log. The entry at index `i` has the position `dropped + i + 1`. */
interface Log {
  entries: Entry[];
  /** Index of the oldest entry that is kept. */
  first: number;
  /** Entries that `entries` does not have any more. */
  dropped: number;
  bytes: number;
}

/** Append-only logs by key, in memory. */
export class MemoryLogs implements LogStore {
  readonly #shared: MemoryShared;
  readonly #leases: MemoryLeases;
  readonly #logs: ExpiringMap<Log>;

  constructor(shared: MemoryShared, leases: MemoryLeases) {
    this.#shared = shared;
    this.#leases = leases;
    this.#logs = new ExpiringMap(shared.clock, ({ bytes }) => shared.budget.remove(1, bytes));
    shared.budget.onFull(() => this.#logs.sweep());
  }

  async append(key: string, value: string, { ttl, fence, keep }: AppendOptions = {}): Promise<number> {
    this.#require(key);
    requireValue(key, value);
    requireTtl(key, ttl);
    this.#leases.requireFence(key, fence);
    const { budget, clock } = this.#shared;
    const known = this.#logs.get(key);
    const bytes = byteLength(value);
    budget.requireRoom(known === undefined ? 1 : 0, bytes);
    const log = known ?? { entries: [], first: 0, dropped: 0, bytes: 0 };
    budget.add(known === undefined ? 1 : 0, bytes);
    log.entries.push({ value, bytes, at: clock.now() });
    log.bytes += bytes;
    this.#logs.set(key, log, ttl);
    if (keep !== undefined) this.#drop(log, keep);
    return log.dropped + log.entries.length;
  }

  async read(
    key: string,
    after: number,
    {
      entries = stateLimits.pageEntries,
      bytes = stateLimits.pageBytes,
    }: Pick<Retention, 'entries' | 'bytes'> = {},
  ): Promise<LogPage> {
    this.#require(key);
    const log = this.#logs.get(key);
    if (log === undefined) return { entries: [], trimmed: after > 0, last: 0 };
    const wanted = Math.max(0, after - log.dropped);
    const page: { position: number; value: string }[] = [];
    let size = 0;
    for (let index = Math.max(wanted, log.first); index < log.entries.length; index++) {
      const entry = log.entries[index];
      if (entry === undefined || page.length >= entries || size >= bytes) break;
      page.push({ position: log.dropped + index + 1, value: entry.value });
      size += entry.bytes;
    }
    const last = log.dropped + log.entries.length;
    return { entries: page, trimmed: after < log.dropped + log.first || after > last, last };
  }

  async trim(key: string, keep: Retention): Promise<void> {
    this.#require(key);
    const log = this.#logs.get(key);
    if (log !== undefined) this.#drop(log, keep);
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    this.#require(key);
    requireTtl(key, ttl);
    const log = this.#logs.get(key);
    if (log !== undefined) this.#logs.set(key, log, ttl);
    return log !== undefined;
  }

  async delete(key: string): Promise<boolean> {
    this.#require(key);
    return this.#logs.delete(key);
  }

  clear(): void {
    this.#logs.clear();
  }

  #require(key: string): void {
    this.#shared.requireOpen();
    requireKey(key);
  }

  #drop(
    log: Log,
    { entries = Number.POSITIVE_INFINITY, bytes = Number.POSITIVE_INFINITY, age }: Retention,
  ): void {
    const oldest = age === undefined ? Number.NEGATIVE_INFINITY : this.#shared.clock.now() - age;
    const newest = log.entries.length - 1;
    for (; log.first < newest || (log.first === newest && entries < 1); log.first++) {
      const entry = log.entries[log.first];
      if (entry === undefined) break;
      const kept = log.entries.length - log.first;
      if (kept <= entries && log.bytes <= bytes && entry.at > oldest) break;
      log.bytes -= entry.bytes;
      this.#shared.budget.remove(0, entry.bytes);
      log.entries[log.first] = { value: '', bytes: 0, at: 0 };
    }
    // The array is copied only now and then, so that a long log does not cost its length for each entry.
    if (log.first > 64 && log.first * 2 > log.entries.length) {
      log.dropped += log.first;
      log.entries = log.entries.slice(log.first);
      log.first = 0;
    }
  }
}
