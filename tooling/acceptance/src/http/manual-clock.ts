import type { Clock } from '@tenon/mcp-session';

/** A clock that goes on when it is told to. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #tasks = new Set<{ readonly at: number; readonly task: () => void }>();

  now(): number {
    return this.#now;
  }

  schedule(task: () => void, ms: number): () => void {
    const entry = { at: this.#now + ms, task };
    this.#tasks.add(entry);
    return () => this.#tasks.delete(entry);
  }

  /** Lets so many milliseconds pass. */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const due = [...this.#tasks].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#tasks.delete(due);
      this.#now = due.at;
      due.task();
    }
    this.#now = until;
  }
}
