import type { Clock } from './clock.js';

/** A token bucket: `perSecond` tokens a second, as many at most and never less than one. */
export class Rate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #most: number;
  #tokens: number;
  #at: number;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#most = Math.max(1, perSecond);
    this.#tokens = this.#most;
    this.#at = clock.now();
  }

  /** Takes a token; false when there is none. */
  take(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(this.#most, this.#tokens + ((now - this.#at) / 1_000) * this.#perSecond);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
