import type { Clock } from '@tenon/foundation';

/** A wait that events end early. An event before the wait ends the next one at once. */
export class Alarm {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `ms` milliseconds, or once the alarm rings. The timer keeps the process alive. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.schedule(resolve, ms, true);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
