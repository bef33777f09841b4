import type { Clock } from '../clock.js';
import { optionRules, requireOptions } from '../option-rules.js';

/** How often something may happen. */
export interface RateLimit {
  /** Times a second, in the long run. */
  readonly perSecond: number;
  /** Times at once, after a pause. Default: as often as in one second. */
  readonly burst?: number;
}

/**
 * Makes sure that a rate can be kept.
 * @param owner - where it was given, as the message names it.
 * @throws TypeError for what is no rate; RangeError for a number that is not positive.
 */
export function requireRate(owner: string, limit: RateLimit): RateLimit {
  const { positive } = optionRules;
  requireOptions<RateLimit>(owner, limit, { perSecond: positive, burst: positive });
  const { perSecond, burst } = limit;
  if (perSecond === undefined) throw new TypeError(`${owner}: perSecond must be a positive number.`);
  return burst === undefined ? { perSecond } : { perSecond, burst };
}

// What sums of fractions may be off by, in milliseconds.
const slack = 1e-6;

/** A token bucket: `perSecond` tokens a second, and no more at once than it is told. */
export class Rate {
  readonly #clock: Clock;
  /** Milliseconds in which one token comes. */
  readonly #interval: number;
  /** Milliseconds in which all but one come. */
  readonly #depth: number;
  /** When the bucket will be full. */
  #full = Number.NEGATIVE_INFINITY;

  /** @param burst - tokens that may be taken at once; those of a second by default, and never less than one. */
  constructor(clock: Clock, perSecond: number, burst: number = perSecond) {
    this.#clock = clock;
    this.#interval = 1_000 / perSecond;
    const others = perSecond === Number.POSITIVE_INFINITY ? 0 : Math.max(1, burst) - 1;
    this.#depth = this.#interval * others + slack;
  }

  /** Takes a token; false when there is none. */
  take(): boolean {
    const now = this.#clock.now();
    const missing = this.#full - now;
    if (missing > this.#depth) return false;
    this.#full = (missing > 0 ? this.#full : now) + this.#interval;
    return true;
  }

  /** Milliseconds until there is a token. */
  get wait(): number {
    return Math.max(0, Math.ceil(this.#full - this.#clock.now() - this.#depth));
  }
}
