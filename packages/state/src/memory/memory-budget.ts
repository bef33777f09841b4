import type { Clock } from '@tenon/foundation';
import { StateError } from '../state.js';

/** Bounds of {@link memoryState}. */
export interface MemoryBounds {
  /** Keys, logs and held leases together. */
  readonly entries: number;
  /** Bytes of UTF-8 of all values and log entries. */
  readonly bytes: number;
}

/** Counts what memory state keeps. Past a bound writes are rejected: dropping values early would break promises made for them. */
export class MemoryBudget {
  readonly #bounds: MemoryBounds;
  readonly #sweeps: (() => void)[] = [];
  #entries = 0;
  #bytes = 0;

  constructor(bounds: MemoryBounds) {
    this.#bounds = bounds;
  }

  /** @throws StateError with reason `full` if a change does not fit. Shrinking always fits. */
  requireRoom(entries: number, bytes: number): void {
    const { entries: mostEntries, bytes: mostBytes } = this.#bounds;
    const fits = (change: number, sum: number, most: number) => change <= 0 || sum + change <= most;
    const hasRoom = () => fits(entries, this.#entries, mostEntries) && fits(bytes, this.#bytes, mostBytes);
    if (hasRoom()) return;
    for (const sweep of this.#sweeps) sweep();
    if (hasRoom()) return;
    throw new StateError(
      'full',
      `memoryState: the limit of ${mostEntries} entries or ${mostBytes} bytes is reached. ` +
        'Raise "bytes", shorten times to live, or use a backend outside of this process.',
    );
  }

  /** Registers a function that drops what has expired; it is called before a write is rejected. */
  onFull(sweep: () => void): void {
    this.#sweeps.push(sweep);
  }

  add(entries: number, bytes: number): void {
    this.#entries += entries;
    this.#bytes += bytes;
  }

  remove(entries: number, bytes: number): void {
    this.#entries -= entries;
    this.#bytes -= bytes;
  }
}

/** The clock, the bounds and the end that all parts of one memory state have in common. */
export interface MemoryShared {
  readonly clock: Pick<Clock, 'now'>;
  readonly budget: MemoryBudget;
  /** @throws StateError with reason `closed`. */
  readonly requireOpen: () => void;
}
