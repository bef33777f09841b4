import type { ExtensionHost } from '@tenon/mcp-server';
import type { State } from '@tenon/mcp-state';
import type { TaskChanges } from './task-changes.js';
import type { TaskSettings } from './task-settings.js';
import type { TaskStore } from './task-store.js';

/** Milliseconds between two renewals of a lease, and between two reads of a task without a notice of a change. */
export const beat = 5_000;

/** A task that this process runs. */
export interface RunningTask {
  /** Leaves the task to other processes. */
  handOver(): Promise<void>;
  /** Aborts the handler, and releases the task. */
  abort(reason: unknown): Promise<void>;
}

/** The parts that all tasks of one server share. */
export interface TaskRuntime {
  readonly host: ExtensionHost;
  readonly settings: TaskSettings;
  /** The state of the server, or of this process. */
  readonly state: State;
  readonly store: TaskStore;
  readonly changes: TaskChanges;
  /** The tasks that this process runs, by id. */
  readonly active: Map<string, RunningTask>;
  /** Handlers of tasks, and of calls that may become tasks, that run in this process. */
  readonly running: RunningHandlers;
}

/** The handlers that run detached from their requests. */
export class RunningHandlers {
  readonly #most: number;
  #count = 0;
  /** True if this process begins no more tasks. */
  isDraining = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.#count >= this.#most;
  }

  /** Counts a handler. @returns a function that ends the count. */
  add(): () => void {
    this.#count += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#count -= 1;
      isOver = true;
    };
  }
}
