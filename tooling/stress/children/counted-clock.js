import { systemClock } from '@tenon/mcp-session';

/** The real clock, which counts pending timers. */
export class CountedClock {
  /** @type {Map<object, number>} */
  #waiting = new Map();

  /** The number of pending timers, by their milliseconds. */
  get waiting() {
    return [...this.#waiting.values()];
  }

  now() {
    return systemClock.now();
  }

  /** @type {import('@tenon/mcp-session').Clock['schedule']} */
  schedule(task, ms, holds) {
    const entry = {};
    this.#waiting.set(entry, Math.round(ms));
    const cancel = systemClock.schedule(
      () => {
        this.#waiting.delete(entry);
        task();
      },
      ms,
      holds,
    );
    return () => {
      this.#waiting.delete(entry);
      cancel();
    };
  }
}
