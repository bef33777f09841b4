import { type Clock, optionRules, requireOptions } from '@tenon/foundation';

/** A rate limit. */
export interface RateLimit {
  /** Events per second, on average. */
  readonly perSecond: number;
  /** Events at once, after a pause. Default: the events of one second. */
  readonly burst?: number;
}

/**
 * Checks a rate limit.
 * @param owner - the name of the option's owner, for the message.
 * @throws TypeError if it is not a rate; RangeError if a number is not positive.
 */
export function requireRate(owner: string, limit: RateLimit): RateLimit {
  const { positive } = optionRules;
  requireOptions<RateLimit>(owner, limit, { perSecond: positive, burst: positive });
  const { perSecond, burst } = limit;
  if (perSecond === undefined) throw new TypeError(`${owner}: perSecond must be a positive number.`);
  return burst === undefined ? { perSecond } : { perSecond, burst };
}

// The rounding error of sums of fractions, in milliseconds.
const slack = 1e-6;

/** A token bucket: `perSecond` tokens a second, and at most `burst` at once. */
export class Rate {
  readonly #clock: Clock;
  /** Milliseconds until the next token. */
  readonly #interval: number;
  /** Milliseconds in which all tokens but one are added. */
  readonly #depth: number;
  /** The time at which the bucket is full. */
  #full = Number.NEGATIVE_INFINITY;

  /** @param burst - tokens that may be used at once. Default: the tokens of one second, at least one. */
  constructor(clock: Clock, perSecond: number, burst: number = perSecond) {
    this.#clock = clock;
    this.#interval = 1_000 / perSecond;
    const others = perSecond === Number.POSITIVE_INFINITY ? 0 : Math.max(1, burst) - 1;
    this.#depth = this.#interval * others + slack;
  }

  /** Uses a token. Returns false if there is none. */
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
