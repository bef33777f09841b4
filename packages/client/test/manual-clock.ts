import type { Clock } from '@tenon/mcp-session';

/** A clock that goes on when it is told to. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #tasks = new Set<{ at: number; task: () => void }>();

  readonly #listeners = new Set<() => void>();

  now(): number {
    return this.#now;
  }

  schedule(task: () => void, ms: number): () => void {
    const entry = { at: this.#now + ms, task };
    this.#tasks.add(entry);
    for (const wake of this.#listeners) wake();
    this.#listeners.clear();
    return () => this.#tasks.delete(entry);
  }

  /** Lets time pass, and whatever follows from it settle. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settle();
    for (;;) {
      const due = [...this.#tasks].filter((one) => one.at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#tasks.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
      await settle();
    }
    this.#now = until;
  }

  /** Waits for a task that is to run after so many milliseconds. */
  async armed(ms: number): Promise<void> {
    while (!this.waiting.includes(ms)) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  /** Waits for a task that is to run within so many milliseconds, and lets that time pass; returns how long it was. */
  async pass(within: number): Promise<number> {
    for (;;) {
      const [wait] = this.waiting;
      if (wait !== undefined && wait <= within) {
        await this.advance(wait);
        return wait;
      }
      await new Promise<void>((resolve) => this.#listeners.add(resolve));
    }
  }

  /** Milliseconds until each task that waits. */
  get waiting(): number[] {
    return [...this.#tasks].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }
}

/** Lets everything that follows from what has happened happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}
