import type { Clock } from '@tenon/foundation';

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that a test moves: pass it as `clock` to a server, a client, or both. All times are in milliseconds. */
export class FakeClock implements Clock {
  readonly #tasks = new Set<Task>();
  readonly #scheduled = new Set<() => void>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  schedule(run: () => void, ms: number): () => void {
    const task = { at: this.#now + Math.max(0, ms), run };
    this.#tasks.add(task);
    const woken = [...this.#scheduled];
    this.#scheduled.clear();
    for (const wake of woken) wake();
    return () => this.#tasks.delete(task);
  }

  /** Milliseconds until each scheduled task runs, the next one first. Empty if no task is left. */
  get waiting(): readonly number[] {
    return [...this.#tasks].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /**
   * Moves the time forward: due tasks run in order, and the promises each one settles run before the next.
   * @throws RangeError if the time is negative, infinite or NaN
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0) || ms === Number.POSITIVE_INFINITY)
      throw new RangeError(`advance() needs a finite, positive number of milliseconds, not ${ms}.`);
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const due = [...this.#tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#tasks.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.run();
      await settled();
    }
    this.#now = until;
  }

  /**
   * Moves the time forward without running a task, as when a computer sleeps: due tasks run with the next {@link advance}.
   */
  stall(ms: number): void {
    this.#now += ms;
  }

  /** Resolves when a task is scheduled with exactly this delay. */
  async armed(ms: number): Promise<void> {
    while (!this.waiting.includes(ms)) await this.#nextTask();
  }

  /** Waits for a task that is due within this time and moves the clock to it. Returns the milliseconds passed. */
  async pass(within: number = Number.POSITIVE_INFINITY): Promise<number> {
    for (;;) {
      const [wait] = this.waiting;
      if (wait !== undefined && wait <= within) {
        await this.advance(Math.max(0, wait));
        return wait;
      }
      await this.#nextTask();
    }
  }

  #nextTask(): Promise<void> {
    return new Promise((resolve) => this.#scheduled.add(resolve));
  }
}

/** Resolves when every promise that follows from past events has settled, if none waits for I/O or a timer. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await undefined;
}
