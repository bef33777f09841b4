import { isRecord } from '@tenon/foundation';
import type { InputRequest, UnknownObject, WireError } from '@tenon/mcp-protocol';
import { type DetailedTask, isTaskStatus, type Task } from './task.js';

// The wire of the extension: https://modelcontextprotocol.io/extensions/tasks/overview

/** Neutral to wire. The data of the status are not in it. */
export function toExtensionTask(task: Task): UnknownObject {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs !== undefined && { pollIntervalMs }),
  };
}

/** Neutral to wire, with the data of the status: their members are in the shape of the wire already. */
export function toDetailedTask(task: DetailedTask): UnknownObject {
  const { status, inputRequests, result, error } = task;
  return {
    ...toExtensionTask(task),
    ...(status === 'input_required' && { inputRequests: inputRequests ?? {} }),
    ...(status === 'completed' && { result: result ?? {} }),
    ...(status === 'failed' && error !== undefined && { error }),
  };
}

/** Wire to neutral; undefined for a value that is not a task, or lacks the data of its status. */
export function fromDetailedTask(wire: UnknownObject): DetailedTask | undefined {
  const task = fromExtensionTask(wire);
  if (task === undefined) return undefined;
  const { inputRequests, result, error } = wire;
  if (task.status === 'input_required')
    return isRecord(inputRequests)
      ? { ...task, inputRequests: inputRequests as { readonly [key: string]: InputRequest } }
      : undefined;
  if (task.status === 'completed') return isRecord(result) ? { ...task, result } : undefined;
  if (task.status === 'failed') return isWireError(error) ? { ...task, error } : undefined;
  return task;
}

/** Wire to neutral; undefined for a value that is not a task. */
export function fromExtensionTask(wire: UnknownObject): Task | undefined {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs = null, pollIntervalMs } = wire;
  if (typeof taskId !== 'string' || !isTaskStatus(status)) return undefined;
  if (typeof createdAt !== 'string' || typeof lastUpdatedAt !== 'string') return undefined;
  if (ttlMs !== null && typeof ttlMs !== 'number') return undefined;
  return {
    taskId,
    status,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(typeof pollIntervalMs === 'number' && { pollIntervalMs }),
  };
}

function isWireError(value: unknown): value is WireError {
  return isRecord(value) && typeof value.code === 'number' && typeof value.message === 'string';
}
