import type { Clock } from '@tenon/mcp-protocol';

interface Task {
  readonly ms: number;
  readonly run: () => void;
}

/** A clock on which tasks run when a test says so. */
export class StepClock implements Clock {
  readonly tasks = new Set<Task>();
  readonly #waiting = new Set<() => void>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  schedule(run: () => void, ms: number): () => void {
    const task = { ms, run };
    this.tasks.add(task);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    return () => this.tasks.delete(task);
  }

  /** Lets time pass in which nothing happens. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Waits until something is to run, and lets it; returns how many milliseconds it was to wait. */
  async step(): Promise<number> {
    while (this.tasks.size === 0) await new Promise<void>((resolve) => this.#waiting.add(resolve));
    const [task] = this.tasks as Set<Task> & Iterable<Task>;
    this.tasks.delete(task as Task);
    this.#now += (task as Task).ms;
    (task as Task).run();
    return (task as Task).ms;
  }
}
