import type { Clock } from '@tenon/mcp-protocol';

/** A clock that goes on when it is told to. */
export class ManualClock implements Clock {
  readonly #tasks = new Set<{ readonly at: number; readonly task: () => void }>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  schedule(task: () => void, ms: number): () => void {
    const entry = { at: this.#now + ms, task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  }

  /** Milliseconds until each task that waits. */
  get waiting(): number[] {
    return [...this.#tasks].map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Lets time pass in which nothing runs. */
  stall(ms: number): void {
    this.#now += ms;
  }

  /** Lets time pass, and whatever follows from it settle. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await settled();
    for (;;) {
      const due = [...this.#tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#tasks.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.task();
      await settled();
    }
    this.#now = until;
  }
}

/** Lets everything that follows from what has happened happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}
