import { ExpiringMap } from '../expiring-map.js';
import { byteLength, requireKey, requireTtl, requireValue } from '../keys.js';
import type { CompareOptions, KeyValueStore, VersionedValue, WriteOptions } from '../state.js';
import type { MemoryShared } from './memory-budget.js';
import type { MemoryLeases } from './memory-leases.js';

interface Kept extends VersionedValue {
  readonly bytes: number;
}

/** Values by key, in memory. */
export class MemoryKeyValues implements KeyValueStore {
  readonly #shared: MemoryShared;
  readonly #leases: MemoryLeases;
  readonly #values: ExpiringMap<Kept>;
  #writes = 0;

  constructor(shared: MemoryShared, leases: MemoryLeases) {
    this.#shared = shared;
    this.#leases = leases;
    this.#values = new ExpiringMap(shared.clock, ({ bytes }) => shared.budget.remove(1, bytes));
    shared.budget.onFull(() => this.#values.sweep());
  }

  async get(key: string): Promise<VersionedValue | undefined> {
    this.#require(key);
    const kept = this.#values.get(key);
    return kept && { value: kept.value, version: kept.version };
  }

  async put(key: string, value: string, options: WriteOptions = {}): Promise<string> {
    this.#require(key);
    return this.#write(key, value, options);
  }

  async compareAndSet(key: string, value: string, options: CompareOptions): Promise<string | undefined> {
    this.#require(key);
    if (this.#values.get(key)?.version === options.expected) return this.#write(key, value, options);
    this.#leases.requireFence(key, options.fence);
    return undefined;
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    this.#require(key);
    requireTtl(key, ttl);
    const kept = this.#values.get(key);
    if (kept !== undefined) this.#values.set(key, kept, ttl);
    return kept !== undefined;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    this.#require(key);
    if (expected !== undefined && this.#values.get(key)?.version !== expected) return false;
    return this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }

  #require(key: string): void {
    this.#shared.requireOpen();
    requireKey(key);
  }

  #write(key: string, value: string, { ttl, fence }: WriteOptions): string {
    requireValue(key, value);
    requireTtl(key, ttl);
    this.#leases.requireFence(key, fence);
    const bytes = byteLength(value);
    const before = this.#values.get(key);
    this.#shared.budget.requireRoom(before === undefined ? 1 : 0, bytes - (before?.bytes ?? 0));
    this.#shared.budget.add(1, bytes);
    this.#writes += 1;
    const version = String(this.#writes);
    this.#values.set(key, { value, version, bytes }, ttl);
    return version;
  }
}
