import type { InputRequest, UnknownObject, WireError } from '@tenon/mcp-protocol';

/**
 * The identifier of the extension.
 * @see https://modelcontextprotocol.io/extensions/tasks/overview
 */
export const extensionId = 'io.modelcontextprotocol/tasks';

/** The result type of a tool call that has become a task. */
export const taskResultType = 'task';

/**
 * The `_meta` key of messages that belong to a task, in revisions with tasks in their core.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#related-task-metadata
 */
export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** The `_meta` key of a text for the model while the task runs, in revisions with tasks in their core. */
export const immediateResponseKey = 'io.modelcontextprotocol/model-immediate-response';

/** `completed`, `failed` and `cancelled` are terminal: they never change. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task in the shape of no wire. */
export interface Task {
  /** Opaque. A task without a principal can be read by all that know its id. */
  readonly taskId: string;
  readonly status: TaskStatus;
  /** For people and models. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds since its creation for which the task is kept; null: it is kept. */
  readonly ttlMs: number | null;
  /** Milliseconds to wait between two requests for the task. */
  readonly pollIntervalMs?: number;
}

/** A task and the data that its status has. */
export interface DetailedTask extends Task {
  /** All open input requests, by key. Only of `input_required`. */
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  /** The result of the tool call. Only of `completed`. */
  readonly result?: UnknownObject;
  /** The JSON-RPC error of the tool call. Only of `failed`. */
  readonly error?: WireError;
}

const statuses: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
]);
const terminal: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);

export function isTaskStatus(value: unknown): value is TaskStatus {
  return statuses.has(value);
}

/** True for a status that never changes. */
export function isTerminal(status: TaskStatus): boolean {
  return terminal.has(status);
}
