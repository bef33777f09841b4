import type { HttpClientBounds } from '../request/http-limits.js';

/** The end of a response with an event stream. */
export type StreamEnd =
  /** The server ended it. */
  | 'ended'
  /** The connection broke. */
  | 'broken'
  /** The response had no events. */
  | 'refused';

/** Decides whether an event stream is requested again, and after how long. */
export class ReconnectWait {
  readonly #limits: HttpClientBounds;
  readonly #random: () => number;
  #failures = 0;
  #empty = 0;
  #retry: number | undefined;

  constructor(limits: HttpClientBounds, random: () => number) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Sets the wait that the server demands. */
  retry(ms: number): void {
    const { minRetryMs, maxRetryMs } = this.#limits;
    this.#retry = Math.min(maxRetryMs, Math.max(minRetryMs, ms));
  }

  /** Resets the count of attempts, because a message arrived. */
  delivered(): void {
    this.#failures = 0;
    this.#empty = 0;
  }

  /**
   * Returns the milliseconds before the next attempt; undefined if there must be none.
   * @param held - milliseconds that the response was open.
   */
  next(end: StreamEnd, held: number): number | undefined {
    const { maxReconnects, maxEmptyStreams, maxRetryMs, healthyMs } = this.#limits;
    const counts = held < healthyMs;
    if (counts && end === 'ended') this.#empty++;
    else if (counts) this.#failures++;
    if (this.#failures > maxReconnects || this.#empty > maxEmptyStreams) return undefined;
    const delay = this.#backoff(end === 'ended' ? this.#empty : this.#failures);
    if (this.#retry === undefined) return Math.min(maxRetryMs, delay);
    return end === 'refused' ? Math.max(this.#retry, Math.min(maxRetryMs, delay)) : this.#retry;
  }

  #backoff(attempt: number): number {
    const { backoffMs, maxBackoffMs } = this.#limits;
    const full = Math.min(maxBackoffMs, backoffMs * 2 ** Math.max(0, attempt - 1));
    return full / 2 + (full / 2) * this.#random();
  }
}
