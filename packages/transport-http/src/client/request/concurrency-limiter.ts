import { LinkedQueue, type QueueNode } from './linked-queue.js';

/** A task that may have to wait before it starts. */
export interface LimitedTask {
  begin(): void;
  /** Set by the limiter: 'taken' when the task has started, its queue node while it waits. */
  slot?: 'taken' | QueueNode<LimitedTask> | undefined;
}

/** Limits the number of tasks that run at the same time. Further tasks start in the order they were added. */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #waiting = new LinkedQueue<LimitedTask>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts the task now, or when a slot is free. */
  enter(task: LimitedTask): void {
    if (this.#running >= this.#limit) task.slot = this.#waiting.append(task);
    else this.#begin(task);
  }

  /** Frees the slot of a running task, or removes a waiting task. Safe to call twice. */
  leave(task: LimitedTask): void {
    const { slot } = task;
    if (slot === undefined) return;
    task.slot = undefined;
    if (slot !== 'taken') {
      this.#waiting.remove(slot);
      return;
    }
    this.#running--;
    while (this.#waiting.first !== undefined && this.#running < this.#limit) {
      const next = this.#waiting.first;
      this.#waiting.remove(next);
      this.#begin(next.value);
    }
  }

  #begin(task: LimitedTask): void {
    this.#running++;
    task.slot = 'taken';
    task.begin();
  }
}
