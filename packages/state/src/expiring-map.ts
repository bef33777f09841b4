import type { Clock } from '@tenon/foundation';

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
}

/** Milliseconds: entries that expire within the same second are dropped together, without a timer and without a search. */
const slotLength = 1_000;

/** A map with a time to live for each entry. Expired entries are absent at once, and leave memory with a later access. */
export class ExpiringMap<Value> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onDrop: (value: Value) => void;
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #slots = new Map<number, Set<string>>();
  #swept = Number.NEGATIVE_INFINITY;

  /** @param onDrop - called for each value that leaves the map: replaced, deleted or expired. */
  constructor(clock: Pick<Clock, 'now'>, onDrop: (value: Value) => void) {
    this.#clock = clock;
    this.#onDrop = onDrop;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > this.#clock.now()) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** @param ttl - milliseconds; undefined for no end. */
  set(key: string, value: Value, ttl: number | undefined): void {
    this.sweep();
    const before = this.#entries.get(key);
    if (before !== undefined) this.#unlink(key, before);
    if (before !== undefined && before.value !== value) this.#onDrop(before.value);
    const expiresAt = ttl === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + ttl;
    this.#entries.set(key, { value, expiresAt });
    if (ttl === undefined) return;
    const slot = Math.floor(expiresAt / slotLength);
    const neighbours = this.#slots.get(slot);
    if (neighbours === undefined) this.#slots.set(slot, new Set([key]));
    else neighbours.add(key);
  }

  /** @returns true if an entry that had not expired was deleted. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#unlink(key, entry);
    this.#entries.delete(key);
    this.#onDrop(entry.value);
    return entry.expiresAt > this.#clock.now();
  }

  clear(): void {
    this.#entries.clear();
    this.#slots.clear();
  }

  #unlink(key: string, { expiresAt }: Entry<Value>): void {
    const slot = Math.floor(expiresAt / slotLength);
    const neighbours = this.#slots.get(slot);
    neighbours?.delete(key);
    if (neighbours?.size === 0) this.#slots.delete(slot);
  }

  /** Drops the entries that expired before the current second. */
  sweep(): void {
    const current = Math.floor(this.#clock.now() / slotLength);
    if (current <= this.#swept) return;
    this.#swept = current;
    for (const [slot, keys] of this.#slots) {
      if (slot >= current) continue;
      this.#slots.delete(slot);
      for (const key of keys) {
        const entry = this.#entries.get(key);
        this.#entries.delete(key);
        if (entry !== undefined) this.#onDrop(entry.value);
      }
    }
  }
}
