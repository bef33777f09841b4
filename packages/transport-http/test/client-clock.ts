import type { Clock } from '@tenon/mcp-protocol';

interface Task {
  readonly ms: number;
  /** It keeps the process alive. */
  readonly holds: boolean;
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

  schedule(run: () => void, ms: number, holds = false): () => void {
    const task = { ms, run, holds };
    this.tasks.add(task);
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
    return () => this.tasks.delete(task);
  }

  /** Lets time pass in which nothing happens. */
  pass(ms: number): void {
    this.#now += ms;
  }

  /** Waits until something of that kind is to run. */
  async until(is: (task: Task) => boolean): Promise<Task> {
    for (;;) {
      const task = [...this.tasks].find(is);
      if (task !== undefined) return task;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Waits until something is to run within so many milliseconds, and lets it; returns how many it was to wait. */
  async step(within = Number.POSITIVE_INFINITY): Promise<number> {
    const task = await this.until(({ ms }) => ms <= within);
    this.tasks.delete(task);
    this.#now += task.ms;
    task.run();
    return task.ms;
  }
}
