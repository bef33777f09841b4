import type { Clock } from '@tenon/foundation';
import type { RateLimit } from '@tenon/mcp-session';
import type { State } from '@tenon/mcp-state';
import { ConflictError, change, type SeenValue } from '@tenon/mcp-state/internal';
import { digestOf } from '../sealing/digest.js';

/** The state in which processes count together. */
export interface RateSharing {
  readonly state: State;
  /** Wall clock in milliseconds, for all processes. */
  readonly clock: Pick<Clock, 'now'>;
  /** Receives the error with which an outage begins. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** Milliseconds for which a process may use the tokens that it took. */
const batchLifetime = 1_000;
/** One process takes at most a burst divided by this number, for calls that follow one another. */
const batchesInBurst = 32;
/** The least milliseconds for which a process refuses a caller without a call of the state. */
const refusalPause = 25;
/** Milliseconds for which a bucket is kept after it is full, for processes with clocks that differ. */
const clockMargin = 60_000;
/** Milliseconds after a failed call until the next one, while the state says that it is ready. */
const retryPause = 1_000;
// The rounding error of sums of fractions, in tokens.
const slack = 1e-6;

/** Follows whether the state can count. One outage is reported once. */
export class RateOutage {
  readonly sharing: RateSharing;
  #ongoing = false;
  #nextAttempt = Number.NEGATIVE_INFINITY;

  constructor(sharing: RateSharing) {
    this.sharing = sharing;
  }

  /** Returns true if the state must not be used now. In an outage one call at a time finds out if it is over. */
  skips(): boolean {
    const { state, clock } = this.sharing;
    if (state.status !== 'ready') {
      this.began();
      return true;
    }
    if (!this.#ongoing) return false;
    const now = clock.now();
    if (now < this.#nextAttempt) return true;
    this.#nextAttempt = now + retryPause;
    return false;
  }

  began(cause?: unknown): void {
    const { state, clock, onError } = this.sharing;
    // A state that reports the outage itself reports its end too.
    const isKnown = state.status !== 'ready';
    this.#nextAttempt = isKnown ? Number.NEGATIVE_INFINITY : clock.now() + retryPause;
    if (this.#ongoing) return;
    this.#ongoing = true;
    const message = 'Rates are counted by this process alone: the shared state does not answer.';
    onError(new Error(message, { cause }), 'rates');
  }

  ended(): void {
    this.#ongoing = false;
  }
}

/** The tokens of one caller that this process took from the shared bucket. */
interface Batch {
  /** The caller, until the key is known. */
  readonly caller: readonly unknown[];
  key: string | undefined;
  /** The bucket as it was last seen. */
  readonly seen: SeenValue;
  tokens: number;
  /** The tokens that were taken with the last refill. */
  taken: number;
  /** The time at which the tokens are lost. */
  expires: number;
  /** The time before which the bucket has no tokens. */
  emptyUntil: number;
  /** Calls that wait for the running refill. */
  waiting: number;
  refill: Promise<boolean> | undefined;
}

/**
 * Token buckets, one per caller, that all processes take from. A process takes several tokens with one round trip, so that most
 * calls are admitted without one; tokens that it does not use within a second are lost. The sum over all processes is never above
 * the limit, except for tokens that were taken up to a second before they are used.
 */
export class SharedRate {
  readonly #name: string;
  readonly #sharing: RateSharing;
  readonly #outage: RateOutage;
  /** Milliseconds until the next token. */
  readonly #interval: number;
  readonly #burst: number;
  readonly #most: number;
  readonly #batches = new WeakMap<object, Batch>();

  /** @param name - the rate as keys name it. */
  constructor(name: string, { perSecond, burst = perSecond }: RateLimit, outage: RateOutage) {
    this.#name = name;
    this.#sharing = outage.sharing;
    this.#outage = outage;
    this.#interval = 1_000 / perSecond;
    this.#burst = Math.max(1, burst);
    this.#most = Math.max(1, Math.floor(this.#burst / batchesInBurst));
  }

  /**
   * Uses a token of a caller.
   * @param holder - the object that stands for the caller in this process.
   * @param caller - JSON that stands for the caller in all processes.
   * @returns 0, or milliseconds until the next attempt; undefined if the state cannot tell.
   */
  take(holder: object, caller: readonly unknown[]): number | undefined | Promise<number | undefined> {
    let batch = this.#batches.get(holder);
    if (batch === undefined) {
      batch = newBatch(caller);
      this.#batches.set(holder, batch);
    }
    return this.#takeNow(batch) ?? (this.#outage.skips() ? undefined : this.#takeLater(batch));
  }

  /** Returns undefined if the bucket must be asked. */
  #takeNow(batch: Batch): number | undefined {
    const now = this.#sharing.clock.now();
    if (batch.tokens > 0 && now < batch.expires) {
      batch.tokens--;
      return 0;
    }
    return now < batch.emptyUntil ? batch.emptyUntil - now : undefined;
  }

  async #takeLater(batch: Batch): Promise<number | undefined> {
    batch.waiting++;
    try {
      for (;;) {
        batch.refill ??= this.#refill(batch);
        if (!(await batch.refill)) return undefined;
        const wait = this.#takeNow(batch);
        if (wait !== undefined) return wait;
      }
    } finally {
      batch.waiting--;
    }
  }

  /** Resolves with false if the state does not answer. */
  async #refill(batch: Batch): Promise<boolean> {
    try {
      await this.#draw(batch);
      this.#outage.ended();
      return true;
    } catch (error) {
      this.#outage.began(error);
      return false;
    } finally {
      batch.refill = undefined;
    }
  }

  /** Moves tokens from the bucket to the batch, or notes until when the bucket has none. */
  async #draw(batch: Batch): Promise<void> {
    const { kv } = this.#sharing.state;
    batch.key ??= `rate/${await digestOf(batch.caller)}/${this.#name}`;
    // Twice as many if all were used in time; as many as were used if some are lost.
    const size = batch.tokens === 0 ? Math.min(this.#most, batch.taken * 2) : batch.taken - batch.tokens;
    let now = 0;
    let taken = 0;
    let wait = refusalPause;
    const ttl = (full: number) => Math.ceil(full - now) + clockMargin;
    try {
      await change<number>(
        { kv, key: batch.key, read: fullTime, write: String, seen: batch.seen, ttl },
        (full) => {
          now = this.#sharing.clock.now();
          const base = Math.max(full ?? Number.NEGATIVE_INFINITY, now);
          const free = this.#burst - (base - now) / this.#interval + slack;
          taken = free < 1 ? 0 : Math.min(Math.floor(free), Math.max(1, size, batch.waiting));
          wait = Math.ceil((1 - free) * this.#interval);
          return taken === 0 ? full : base + taken * this.#interval;
        },
      );
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // Other processes take tokens of the caller all the time.
      taken = 0;
      wait = refusalPause;
    }
    if (taken === 0) return this.#refuse(batch, wait);
    batch.tokens = taken;
    batch.expires = now + batchLifetime;
    batch.taken = taken;
  }

  #refuse(batch: Batch, wait: number): void {
    batch.tokens = 0;
    batch.emptyUntil = this.#sharing.clock.now() + Math.max(wait, refusalPause);
  }
}

function newBatch(caller: readonly unknown[]): Batch {
  return {
    caller,
    key: undefined,
    seen: { last: undefined },
    tokens: 0,
    expires: Number.NEGATIVE_INFINITY,
    emptyUntil: Number.NEGATIVE_INFINITY,
    taken: 0,
    waiting: 0,
    refill: undefined,
  };
}

/** Returns the time at which a bucket is full. One that is not readable is full, like one that is not there. */
function fullTime(text: string): number | undefined {
  const full = Number(text);
  return Number.isFinite(full) ? full : undefined;
}
