/** The requests that one end no longer waits for: answers to them may still arrive, and are not a problem of the peer. */
export class GivenUp {
  readonly #limit: number;
  readonly #ids = new Set<number>();
  /** Answers to requests up to this one are accepted: the list of abandoned requests no longer has them. */
  #excused = 0;

  /** @param limit - requests stored at the same time. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Stores a request that this end no longer waits for. */
  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= this.#limit) return;
    const [oldest = id] = this.#ids;
    this.#ids.delete(oldest);
    this.excuse(oldest);
  }

  /** Accepts answers to all requests up to one. */
  excuse(last: number): void {
    this.#excused = Math.max(this.#excused, last);
  }

  /** True for the first answer to an abandoned request. */
  takes(id: number): boolean {
    return this.#ids.delete(id) || (id > 0 && id <= this.#excused);
  }
}
