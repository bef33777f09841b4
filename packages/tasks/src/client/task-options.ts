import { constantsOf, isRecord, optionRules, requireOptions } from '@tenon/foundation';
import type { Meta } from '@tenon/mcp-protocol';
import type { DetailedTask } from '../model/task.js';
import type { TaskReference } from './task-reference.js';

/** Further data of a change of a task. */
export interface TaskChange {
  /** A text that the server offers as the result for a model while the task runs; with the creation of a task, in 2025-11-25. Not verified. */
  readonly immediateResponse?: string;
}

/** Receives each change of a task, the creation included. Its errors go to `onError` of the client. */
export type OnTask = (task: DetailedTask, reference: TaskReference, change: TaskChange) => unknown;

/** Bounds of tasks at a client. Times are in milliseconds. */
export const taskBounds = {
  /** Tasks that are followed at the same time. */
  running: 1_000,
  /** Tasks that are followed by a listen stream each; the others are polled. */
  listening: 8,
  /** The time between two requests for a task, if the server names none. */
  pollInterval: 1_000,
  /** The shortest such time, if the server names a shorter one. */
  minPollInterval: 100,
  /** The longest such time, if the server names a longer one. */
  maxPollInterval: 60_000,
  /** The time between two requests for a task while the server notifies of its changes. */
  listeningPollInterval: 30_000,
  /** Failed requests for a task in a row, such as those of a lost connection. */
  failures: 10,
  /** The time without a change after the time to live of a task has passed. */
  stuckAfter: 60_000,
  /** Input requests of a task that are answered at the same time. */
  inputRequests: 64,
  /** Input requests in the life of a task. */
  inputKeys: 1_024,
  /** Input requests of the server that run as tasks, those that are kept after their end included. */
  received: 1_000,
  /** The time for which such a task is kept at most, from its creation. */
  receivedTtl: 3_600_000,
};

export type TaskBounds = typeof taskBounds;

/** Options of {@link tasks}. */
export interface TaskClientOptions {
  readonly onTask?: OnTask;
  /**
   * The way of calls of tools that can run in both ways, in 2025-11-25, where the client decides: `inline` or `task`. Needs the list of
   * tools. Default: `inline`.
   */
  readonly prefer?: 'inline' | 'task';
  /** Milliseconds for which the server is to keep a task, in 2025-11-25. Default: the server decides. */
  readonly ttl?: number;
}

/** The checked options. */
export interface TaskSettings extends TaskClientOptions {
  readonly bounds: TaskBounds;
}

/** @throws TypeError or RangeError for an invalid option. */
export function settingsOf(options: TaskClientOptions): TaskSettings {
  requireOptions<TaskClientOptions>('tasks', options, {
    onTask: optionRules.callable,
    prefer: { is: '"inline" or "task"', allows: (value) => value === 'inline' || value === 'task' },
    ttl: integer,
  });
  return { ...options, bounds: constantsOf(taskBounds, options) };
}

const integer = {
  is: 'a whole number of milliseconds, 1 or more',
  allows: (value: unknown) => Number.isInteger(value) && (value as number) > 0,
};

/** The choice for one call. */
export interface TaskChoice {
  /** Milliseconds for which the server is to keep the task. Default: the option of {@link tasks}. */
  readonly ttl?: number;
}

/** The member of `CallOptions.meta` with the choice for one call. It is not sent. */
const choiceKey = 'dev.tenon/task';

/**
 * Runs one call as a task, or inline, if the tool can run in both ways, in 2025-11-25:
 * `client.callTool('render', args, { meta: asTask({ ttl: 60_000 }) })`.
 * @param choice - false: inline.
 * @throws TypeError or RangeError if the ttl is invalid.
 */
export function asTask(choice: TaskChoice | false = {}): Meta {
  if (choice !== false) requireOptions<TaskChoice>('asTask', choice, { ttl: integer });
  return { [choiceKey]: choice };
}

/** Returns the choice for a call, and the metadata without it. */
export function choiceIn(meta: Meta | undefined): {
  readonly choice: TaskChoice | false | undefined;
  readonly rest: Meta | undefined;
} {
  if (meta === undefined || !Object.hasOwn(meta, choiceKey)) return { choice: undefined, rest: meta };
  const { [choiceKey]: given, ...rest } = meta;
  const choice = given === false || isRecord(given) ? (given as TaskChoice | false) : undefined;
  return { choice, rest: Object.keys(rest).length === 0 ? undefined : rest };
}
