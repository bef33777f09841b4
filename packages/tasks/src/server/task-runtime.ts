import type { ExtensionHost } from '@tenon/mcp-server/extension';
import type { State } from '@tenon/mcp-state';
import { stateFailureOf, type WaitingOutcomes } from '@tenon/mcp-state/extension';
import type { TaskChanges } from './task-changes.js';
import type { TaskSettings } from './task-settings.js';
import type { TaskStore } from './task-store.js';

/** Milliseconds in which one failure of the state is reported, for each of its reasons: all tasks have it at the same time. */
const reportInterval = 60_000;

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
  readonly waiting: WaitingOutcomes;
  /** Reports an error. */
  readonly report: (error: unknown, where: string) => void;
}

/** Returns the function that reports errors of tasks. */
export function reporter({ clock, onError }: ExtensionHost): TaskRuntime['report'] {
  const reported = new Map<string, number>();
  return (error, where) => {
    const reason = stateFailureOf(error);
    const last = reason === undefined ? undefined : reported.get(reason);
    if (last !== undefined && clock.now() - last < reportInterval) return;
    if (reason !== undefined) reported.set(reason, clock.now());
    onError(error, where);
  };
}

/** The handlers that run detached from their requests, by caller. */
export class RunningHandlers {
  readonly #most: number;
  /** Handlers that one caller may run at the same time. */
  readonly #share: number;
  readonly #ofCallers = new Map<string, number>();
  #count = 0;
  /** True if this process begins no more tasks. */
  isDraining = false;

  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most / 4));
  }

  /** Returns the obstacle to one more handler of a caller, as the beginning of a sentence; undefined if there is none. */
  obstacle(caller: string): string | undefined {
    if (this.#count >= this.#most) return `The server runs ${this.#most} tasks already`;
    if (this.#of(caller) >= this.#share) return `The server runs ${this.#share} tasks of this caller already`;
    return undefined;
  }

  /** Counts a handler. @returns a function that ends the count. */
  add(caller: string): () => void {
    this.#count += 1;
    this.#ofCallers.set(caller, this.#of(caller) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count -= 1;
      const left = this.#of(caller) - 1;
      if (left === 0) this.#ofCallers.delete(caller);
      else this.#ofCallers.set(caller, left);
    };
  }

  #of(caller: string): number {
    return this.#ofCallers.get(caller) ?? 0;
  }
}
