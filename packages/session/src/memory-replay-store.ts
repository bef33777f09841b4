import type { Clock, ReplayStore } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from './option-rules.js';

/** Bounds of a {@link MemoryReplayStore}. */
export interface MemoryReplayStoreOptions {
  /** Ids remembered at the same time. Default 100,000. */
  readonly entries?: number;
  /** Ids of one owner. Default 10,000. */
  readonly perOwner?: number;
  /** Time, for tests. */
  readonly clock?: Pick<Clock, 'now'>;
}

interface Remembered {
  readonly owner: string;
  readonly id: string;
}

/** Ids are forgotten together that run out in the same so many milliseconds: no timer, and no search for each. */
const slotLength = 1_000;

/**
 * Remembers in this process what must not be used twice. Past its bounds it refuses rather than forgets: an owner who has used up their
 * share waits until some of it runs out, and the others do not notice. The less room there is, the smaller the share: a few
 * owners, or one with a few keys, leave some to everybody.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #limit: number;
  readonly #perOwner: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #owners = new Map<string, Set<string>>();
  /** By the time they run out, in lengths of a slot. */
  readonly #slots = new Map<number, Remembered[]>();
  #size = 0;
  #slot = Number.NEGATIVE_INFINITY;

  /** @throws RangeError for a bound that is not a positive number; TypeError for what is no bound. */
  constructor(options: MemoryReplayStoreOptions = {}) {
    const { positive, object } = optionRules;
    requireOptions('MemoryReplayStore', options, { entries: positive, perOwner: positive, clock: object });
    const { entries = 100_000, perOwner = 10_000, clock = { now: Date.now } } = options;
    this.#limit = entries;
    this.#perOwner = perOwner;
    this.#clock = clock;
  }

  /** Ids that are remembered. */
  get size(): number {
    return this.#size;
  }

  /** @throws RangeError when there is no room. */
  remember(owner: string, id: string, ttl: number): boolean {
    const now = this.#clock.now();
    this.#forget(Math.floor(now / slotLength));
    const own = this.#owners.get(owner) ?? new Set();
    if (own.has(id)) return false;
    if (own.size >= Math.min(this.#perOwner, this.#limit - this.#size)) {
      throw new RangeError('There is no room to remember what was used: try again later.');
    }
    const slot = Math.ceil((now + ttl) / slotLength);
    const neighbours = this.#slots.get(slot) ?? [];
    this.#slots.set(slot, neighbours);
    neighbours.push({ owner, id });
    this.#owners.set(owner, own.add(id));
    this.#size += 1;
    return true;
  }

  #forget(current: number): void {
    if (current === this.#slot) return;
    this.#slot = current;
    for (const [slot, entries] of this.#slots) {
      if (slot > current) continue;
      this.#slots.delete(slot);
      this.#size -= entries.length;
      for (const { owner, id } of entries) {
        const own = this.#owners.get(owner);
        own?.delete(id);
        if (own?.size === 0) this.#owners.delete(owner);
      }
    }
  }
}
