import type { UnknownObject } from '@tenon/mcp-protocol';
import { type DetailedTask, isTaskStatus, relatedTaskKey, type Task, type TaskStatus } from './task.js';

// The wire of revisions with tasks in their core:
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks

/** Returns the status in this wire, where a tool result with `isError` is a failure of the task. */
export function coreStatus({ status, result }: Pick<DetailedTask, 'status' | 'result'>): TaskStatus {
  return status === 'completed' && result?.isError === true ? 'failed' : status;
}

/** Neutral to wire. The data of the status are not in it. */
export function toCoreTask(task: DetailedTask): UnknownObject {
  const { taskId, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status: coreStatus(task),
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    ...(pollIntervalMs !== undefined && { pollInterval: pollIntervalMs }),
  };
}

/** Wire to neutral; undefined for a value that is not a task. */
export function fromCoreTask(wire: UnknownObject): Task | undefined {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl = null, pollInterval } = wire;
  if (typeof taskId !== 'string' || !isTaskStatus(status)) return undefined;
  if (typeof createdAt !== 'string' || typeof lastUpdatedAt !== 'string') return undefined;
  if (ttl !== null && typeof ttl !== 'number') return undefined;
  return {
    taskId,
    status,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs: ttl,
    ...(typeof pollInterval === 'number' && { pollIntervalMs: pollInterval }),
  };
}

/** Returns the `_meta` member of a message that belongs to a task. */
export function relatedTask(taskId: string): UnknownObject {
  return { [relatedTaskKey]: { taskId } };
}
