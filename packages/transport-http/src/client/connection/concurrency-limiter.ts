import { LinkedQueue, type QueueNode } from './linked-queue.js';

/** A task that may have to wait before it begins. */
export interface LimitedTask {
  begin(): void;
  /** Set by its limiter: 'taken' once the task has begun, its node while it waits. */
  slot?: 'taken' | QueueNode<LimitedTask> | undefined;
}

/** Lets a number of tasks run at the same time; further ones begin in the order they came. */
export class ConcurrencyLimiter {
  readonly #limit: number;
  readonly #waiting = new LinkedQueue<LimitedTask>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins the task now, or when a slot is free. */
  enter(task: LimitedTask): void {
    if (this.#running >= this.#limit) task.slot = this.#waiting.append(task);
    else this.#begin(task);
  }

  /** Frees the slot of a task that has begun, or removes one that waits. Does nothing when called again. */
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
