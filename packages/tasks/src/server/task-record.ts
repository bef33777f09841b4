import type { CallHistory, CallToolResult, ClientAnswer, InputRequest, WireError } from '@tenon/mcp-protocol';
import type { SavedCall } from '@tenon/mcp-server/extension';
import { withStep as withStepOf } from '@tenon/mcp-state/extension';
import { type DetailedTask, isTerminal, type TaskStatus } from '../model/task.js';

/** A task as the state keeps it, with the answers and the steps of its handler. JSON. */
export interface TaskRecord extends CallHistory {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage?: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Milliseconds since 1970. */
  readonly updated: number;
  /** Milliseconds since its creation. */
  readonly ttl: number;
  /** Milliseconds. */
  readonly pollInterval: number;
  /** The hash of the principal that it belongs to; absent if it belongs to no principal. */
  readonly caller?: string;
  /** The session that is notified of changes, in revisions with tasks in their core. */
  readonly session?: string;
  /** True for a task of a revision with tasks in its core. */
  readonly inCore: boolean;
  /** True if another process may run the handler again. */
  readonly takeOver: boolean;
  /** The call that made the task; absent once the task has ended. */
  readonly call?: SavedCall;
  /** Input requests without an answer, by key. */
  readonly open: Readonly<Record<string, InputRequest>>;
  readonly result?: CallToolResult;
  readonly error?: WireError;
}

/** The members of a task that its creator decides. */
export type NewTask = Pick<
  TaskRecord,
  'taskId' | 'created' | 'ttl' | 'pollInterval' | 'caller' | 'session' | 'inCore' | 'takeOver' | 'call'
> &
  Partial<Pick<TaskRecord, 'answers' | 'steps'>>;

/** A change of a task: returns the same record if nothing changes. Pure. */
export type Transition = (record: TaskRecord) => TaskRecord;

export function newRecord({ answers = {}, steps = {}, ...task }: NewTask): TaskRecord {
  return { ...task, status: 'working', updated: task.created, open: {}, answers, steps };
}

/** Sets the status message of a task that has not ended. */
export function withMessage(statusMessage: string): Transition {
  return alive((record) => (record.statusMessage === statusMessage ? record : { ...record, statusMessage }));
}

/** Adds an input request, unless its key is open or answered. */
export function withRequest(key: string, request: InputRequest): Transition {
  return alive((record) => {
    if (Object.hasOwn(record.answers, key) || Object.hasOwn(record.open, key)) return record;
    return { ...record, status: 'input_required', open: { ...record.open, [key]: request } };
  });
}

/** Answers open input requests. Answers to other keys are ignored. */
export function withAnswers(given: Readonly<Record<string, ClientAnswer>>): Transition {
  return alive((record) => {
    const fitting = Object.entries(given).filter(([key]) => Object.hasOwn(record.open, key));
    if (fitting.length === 0) return record;
    const open = Object.fromEntries(
      Object.entries(record.open).filter(([key]) => !fitting.some(([answered]) => answered === key)),
    );
    const answers = { ...record.answers, ...Object.fromEntries(fitting) };
    const status = Object.keys(open).length === 0 ? 'working' : 'input_required';
    return { ...record, status, open, answers };
  });
}

/** Keeps the value of a step, unless there is one. */
export function withStep(key: string, value: unknown): Transition {
  return alive((record) => withStepOf(record, key, value));
}

/** Ends the task with the result of the tool, which may be a failure of the tool. */
export function completed(result: CallToolResult, statusMessage: string | undefined): Transition {
  return alive((record) => ended(record, { status: 'completed', result, statusMessage }));
}

/** Ends the task with a JSON-RPC error. */
export function failed(error: WireError, statusMessage: string): Transition {
  return alive((record) => ended(record, { status: 'failed', error, statusMessage }));
}

export function cancelled(statusMessage: string): Transition {
  return alive((record) => ended(record, { status: 'cancelled', statusMessage }));
}

/** A transition of a task that has not ended: no transition leaves a terminal status. */
function alive(change: Transition): Transition {
  return (record) => (isTerminal(record.status) ? record : change(record));
}

interface Ending {
  readonly status: TaskStatus;
  readonly statusMessage: string | undefined;
  readonly result?: CallToolResult;
  readonly error?: WireError;
}

/** Nothing runs the call again: its arguments, answers and steps are dropped. */
function ended(record: TaskRecord, { statusMessage, ...ending }: Ending): TaskRecord {
  const { call, statusMessage: progress, ...rest } = record;
  return {
    ...rest,
    ...ending,
    ...(statusMessage !== undefined && { statusMessage }),
    open: {},
    answers: {},
    steps: {},
  };
}

/** Returns the task without what only the server knows. */
export function taskOf(record: TaskRecord): DetailedTask {
  const { taskId, status, statusMessage, created, updated, ttl, pollInterval, open, result, error } = record;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(created).toISOString(),
    lastUpdatedAt: new Date(updated).toISOString(),
    ttlMs: ttl,
    pollIntervalMs: pollInterval,
    ...(status === 'input_required' && { inputRequests: open }),
    ...(result !== undefined && { result: { ...result } }),
    ...(error !== undefined && { error }),
  };
}
