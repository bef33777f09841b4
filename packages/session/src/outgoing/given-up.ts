/** The requests that one end has stopped waiting for: answers to them may still come, and are no problem of the peer. */
export class GivenUp {
  readonly #limit: number;
  readonly #ids = new Set<number>();
  /** Answers to requests up to this one are excused: it is not known any more which of them were given up. */
  #excused = 0;

  /** @param limit - requests known at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Notes a request that that this end does not wait for any more. */
  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= this.#limit) return;
    const [oldest = id] = this.#ids;
    this.#ids.delete(oldest);
    this.excuse(oldest);
  }

  /** Excuses answers to all requests up to one. */
  excuse(last: number): void {
    this.#excused = Math.max(this.#excused, last);
  }

  /** True for an answer to a request that was given up. It is excused once. */
  takes(id: number): boolean {
    return this.#ids.delete(id) || (id > 0 && id <= this.#excused);
  }
}
