import type { Clock } from '@tenon/mcp-protocol';

/** Time that moves when told. */
export class HandClock implements Clock {
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

  /** Tasks that wait. */
  get waiting(): number {
    return this.#tasks.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const entry of [...this.#tasks])
      if (entry.at <= this.#now && this.#tasks.delete(entry)) entry.task();
  }
}
