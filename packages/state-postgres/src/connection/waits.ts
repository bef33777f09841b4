import { type Clock, follow } from '@tenon/foundation';
import { StateError } from '@tenon/mcp-state';

/** Waits that end with their work, with their time, or all at once. */
export class Waits {
  readonly #clock: Clock;
  readonly #ends = new Set<(error: Error) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /**
   * Resolves with the work. The work goes on if the wait ends earlier.
   * @param until - the time at which the wait rejects, with reason `unavailable`.
   * @param what - for the message, such as "a connection".
   */
  wait<T>(work: Promise<T>, until: number, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => {
        cancel();
        this.#ends.delete(fail);
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const late = () =>
        fail(new StateError('unavailable', `State: PostgreSQL did not answer in time, waiting for ${what}.`));
      const cancel = this.#clock.schedule(late, Math.max(0, until - this.#clock.now()), true);
      this.#ends.add(fail);
      follow(
        work,
        (value) => {
          end();
          resolve(value);
        },
        fail,
      );
    });
  }

  /** Rejects all waits. */
  end(error: Error): void {
    for (const end of [...this.#ends]) end(error);
  }
}
