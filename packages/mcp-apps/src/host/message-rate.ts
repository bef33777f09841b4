/** Counts the messages of one view: a number at once, which refills within a second. */
export class MessageRate {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #since: number;

  /** @param now - milliseconds. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = perSecond;
    this.#since = now();
  }

  /** Returns false if the message is one too many. */
  admit(): boolean {
    const now = this.#now();
    const refilled = this.#left + ((now - this.#since) / 1_000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, refilled);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
