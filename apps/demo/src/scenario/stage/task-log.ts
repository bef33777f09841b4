import type { TaskReference, TaskStatus } from '@tenon/mcp-tasks/client';

/** A new status of a task. */
export interface TaskChange {
  readonly status: TaskStatus;
  readonly reference: TaskReference;
}

/** The changes of the tasks that clients follow. */
export class TaskLog {
  #changes: TaskChange[] = [];
  #wake: (change: TaskChange) => void = () => {};

  add(change: TaskChange): void {
    this.#changes.push(change);
    this.#wake(change);
  }

  /** Resolves with the next change. */
  next(): Promise<TaskChange> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Removes and returns the statuses in order. */
  take(): readonly TaskStatus[] {
    const statuses = this.#changes.map(({ status }) => status);
    this.#changes = [];
    return statuses;
  }
}
