import type { Clock } from '@tenon/mcp-session';

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Time that moves when a test says so: give it as `clock` to a server, a client, or both. All times are in milliseconds.
 */
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

  /** How long each task that waits has still to wait, the next one first. Empty when nothing is left behind. */
  get waiting(): readonly number[] {
    return [...this.#tasks].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /**
   * Lets time pass: what is due runs in order, and whatever follows from it in this process settles each time.
   * @throws RangeError for a time that is negative, endless or no number.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0) || ms === Number.POSITIVE_INFINITY)
      throw new RangeError(`Time goes forward: advance() takes milliseconds, not ${ms}.`);
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

  /** Lets time pass in which nothing runs, as when a computer sleeps: what became due runs with the next {@link advance}. */
  stall(ms: number): void {
    this.#now += ms;
  }

  /** Resolves once a task is to run after exactly so long. */
  async armed(ms: number): Promise<void> {
    while (!this.waiting.includes(ms)) await this.#nextTask();
  }

  /** Waits for a task that is to run within so long, and lets that time pass; resolves with how long it was. */
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

/** Lets everything that follows from what has happened happen, as far as it takes no more than promises. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await undefined;
}
