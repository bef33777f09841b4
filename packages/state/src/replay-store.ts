import type { Clock } from '@tenon/foundation';
import { digestSegment } from './keys.js';
import type { State } from './state.js';

/**
 * Stores ids that must not be used twice. Every implementation is bounded, and a full one rejects: an id dropped
 * too early could be used again.
 */
export interface ReplayStore {
  /**
   * Stores an id for so many milliseconds.
   * @param owner - the owner of the id.
   * @returns false if the id of the owner is stored already. Rejects if that is unknown, or if the id cannot be stored.
   */
  remember(owner: string, id: string, ttl: number): boolean | Promise<boolean>;
}

interface ReplayBounds {
  /** Ids stored at the same time. Default: 100,000. */
  readonly entries?: number;
  /** Ids of one owner. Default: 10,000. */
  readonly perOwner?: number;
  /** Time, for tests. */
  readonly clock?: Pick<Clock, 'now'>;
}

interface Remembered {
  readonly owner: string;
  readonly id: string;
}

/** Ids that expire within the same milliseconds are dropped together: no timer, and no search for each. */
const slotLength = 1_000;

/**
 * Stores in this process the ids that must not be used twice. At a limit it rejects new ids and drops none: an owner who has used up their
 * share waits until some of their ids expire, and other owners are not affected. The fuller the store, the smaller the share: a few
 * owners, or one with a few keys, cannot use up the store.
 */
export class MemoryReplayStore implements ReplayStore {
  readonly #limit: number;
  readonly #perOwner: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #owners = new Map<string, Set<string>>();
  /** By the time of their expiry, in units of a slot. */
  readonly #slots = new Map<number, Remembered[]>();
  #size = 0;
  #slot = Number.NEGATIVE_INFINITY;

  constructor({ entries = 100_000, perOwner = 10_000, clock = Date }: ReplayBounds = {}) {
    this.#limit = entries;
    this.#perOwner = perOwner;
    this.#clock = clock;
  }

  /** The number of stored ids. */
  get size(): number {
    return this.#size;
  }

  /** @throws RangeError if the store is full. */
  remember(owner: string, id: string, ttl: number): boolean {
    const now = this.#clock.now();
    this.#forget(Math.floor(now / slotLength));
    const own = this.#owners.get(owner) ?? new Set();
    if (own.has(id)) return false;
    if (own.size >= Math.min(this.#perOwner, this.#limit - this.#size)) {
      throw new RangeError('The replay store is full: try again later.');
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

/**
 * Stores in shared state the ids that must not be used twice: one key for each id, which expires with it. The backend bounds their number;
 * owners have no share of their own.
 */
export class StateReplayStore implements ReplayStore {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  /** @throws StateError if the backend cannot tell whether the id is new. */
  async remember(owner: string, id: string, ttl: number): Promise<boolean> {
    const [group, name] = await Promise.all([digestSegment(owner), digestSegment(id)]);
    const written = await this.#state.kv.compareAndSet(`use/${group}/${name}`, '1', {
      expected: undefined,
      ttl: Math.ceil(ttl),
    });
    return written !== undefined;
  }
}

/** Returns the store of single-use ids for a state: shared between processes if the state is, else in this process. */
export function replayStoreOn(state: State | undefined, clock?: Pick<Clock, 'now'>): ReplayStore {
  if (state?.join !== undefined) return new StateReplayStore(state);
  return new MemoryReplayStore(clock === undefined ? {} : { clock });
}
