import { type Clock, follow } from '@tenon/foundation';

/** The reasons for which the silence of a peer may not be its fault. */
export class Silence {
  readonly #clock: Clock;
  #requests = 0;
  #answeredAt = Number.MIN_SAFE_INTEGER;
  /** The last unreadable message of the peer, if there was one: it may have been an answer. */
  unread: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time until which the peer had to wait for this end. */
  get excusedUntil(): number {
    return this.#requests > 0 ? this.#clock.now() : this.#answeredAt;
  }

  /** Records that the peer waits for this end, perhaps for the user. The promise may reject. */
  waitsFor(answer: Promise<unknown>): void {
    this.#requests++;
    const answered = () => {
      this.#requests--;
      this.#answeredAt = this.#clock.now();
    };
    follow(answer, answered, answered);
  }
}
