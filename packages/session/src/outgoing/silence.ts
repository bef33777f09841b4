import { follow } from '@tenon/mcp-protocol/internal';
import type { Clock } from '../clock.js';

/** Why the silence of a peer may be no fault of its own. */
export class Silence {
  readonly #clock: Clock;
  #questions = 0;
  #answeredAt = Number.MIN_SAFE_INTEGER;
  /** The last thing of the peer that could not be read, if there was any: it may have been an answer. */
  unread: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Until when the peer had to wait for this end. */
  get excusedUntil(): number {
    return this.#questions > 0 ? this.#clock.now() : this.#answeredAt;
  }

  /** Notes that the peer waits for something this end does, perhaps for a person; it may reject. */
  waitsFor(answer: Promise<unknown>): void {
    this.#questions++;
    const answered = () => {
      this.#questions--;
      this.#answeredAt = this.#clock.now();
    };
    follow(answer, answered, answered);
  }
}
