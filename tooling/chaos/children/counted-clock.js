import { systemClock } from '@tenon/mcp-session';

/** The real clock, which knows how many timers wait. */
export class CountedClock {
  /** @type {Map<object, number>} */
  #waiting = new Map();

  /** Timers that wait, by the milliseconds they were set for. */
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
