import { isRecord, optionRules, requireOptions, withDefaults } from '@tenon/foundation';
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

/** Limits of tasks at a client; see {@link defaultTaskClientLimits}. All times are in milliseconds. */
export interface TaskClientLimits {
  /** Tasks that are followed at the same time. */
  readonly running: number;
  /** Tasks that are followed by a listen stream each; the others are polled. */
  readonly listening: number;
  /** The time between two requests for a task, if the server names none. */
  readonly pollInterval: number;
  /** The shortest such time, if the server names a shorter one. */
  readonly minPollInterval: number;
  /** The longest such time, if the server names a longer one. */
  readonly maxPollInterval: number;
  /** The time between two requests for a task while the server notifies of its changes. */
  readonly listeningPollInterval: number;
  /** Failed requests for a task in a row, such as those of a lost connection. */
  readonly failures: number;
  /** The time without a change after the time to live of a task has passed. */
  readonly stuckAfter: number;
  /** Input requests of a task that are answered at the same time. */
  readonly inputRequests: number;
  /** Input requests in the life of a task. */
  readonly inputKeys: number;
  /** Pages that are read of the list of tasks. */
  readonly pages: number;
  /** Bytes that the list of tasks takes in memory: each of its values counts as 32 at least. */
  readonly listBytes: number;
  /** Input requests of the server that run as tasks, those that are kept after their end included. */
  readonly received: number;
  /** The time for which such a task is kept at most, from its creation. */
  readonly receivedTtl: number;
}

/** The limits of reading a list of tasks. */
export type ListLimits = Pick<TaskClientLimits, 'pages' | 'listBytes'>;

/** Default limits of tasks at a client. */
export const defaultTaskClientLimits: TaskClientLimits = {
  running: 1_000,
  listening: 8,
  pollInterval: 1_000,
  minPollInterval: 100,
  maxPollInterval: 60_000,
  listeningPollInterval: 30_000,
  failures: 10,
  stuckAfter: 60_000,
  inputRequests: 64,
  inputKeys: 1_024,
  pages: 100,
  listBytes: 67_108_864,
  received: 1_000,
  receivedTtl: 3_600_000,
};

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
  readonly limits?: Partial<TaskClientLimits>;
}

/** The checked options. */
export interface TaskSettings extends Omit<TaskClientOptions, 'limits'> {
  readonly limits: TaskClientLimits;
}

/** @throws TypeError or RangeError for an invalid option. */
export function settingsOf(options: TaskClientOptions): TaskSettings {
  const { callable, object } = optionRules;
  requireOptions<TaskClientOptions>('tasks', options, {
    onTask: callable,
    prefer: { is: '"inline" or "task"', allows: (value) => value === 'inline' || value === 'task' },
    ttl: integer,
    limits: object,
  });
  return { ...options, limits: withDefaults<TaskClientLimits>(defaultTaskClientLimits, options.limits) };
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
