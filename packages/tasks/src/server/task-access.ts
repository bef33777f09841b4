import {
  ErrorCode,
  findRevision,
  latestStateless,
  type Revision,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { type Context, MissingCapabilityError } from '@tenon/mcp-server';
import { inCore } from '../model/methods.js';
import { extensionId } from '../model/task.js';
import { callerHash } from './callers.js';
import type { TaskRecord } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import { isTaskId } from './task-store.js';

/** The part of a request that decides on access to tasks. */
export type Caller = Pick<Context, 'auth' | 'revision' | 'clientCapabilities' | 'extension'>;

/** Returns the revision of a request. */
export function revisionOf({ revision }: Pick<Context, 'revision'>): Revision {
  return findRevision(revision) ?? latestStateless;
}

/**
 * Returns the task that a request names.
 * @param forOldClients - true if clients with the tasks of a revision that has them in its core may use the method for tasks of such
 * revisions, without the extension.
 * @throws MissingCapabilityError if the client needs the extension and did not declare it; RpcError invalid params if the caller has
 * no such task.
 */
export async function requestedTask(
  runtime: TaskRuntime,
  { taskId }: UnknownObject,
  { caller, method, forOldClients = false }: { caller: Caller; method: string; forOldClients?: boolean },
): Promise<TaskRecord> {
  const isDeclared = inCore(revisionOf(caller)) || caller.extension(extensionId) !== undefined;
  const isOld = forOldClients && caller.clientCapabilities.tasks !== undefined;
  if (!isDeclared && !isOld) throw undeclared(method);
  if (typeof taskId !== 'string' && isDeclared)
    throw new RpcError(ErrorCode.invalidParams, `Invalid params for ${method}: taskId must be a string`);
  const found = isTaskId(taskId) ? await visibleTask(runtime, taskId, caller) : undefined;
  if (!isDeclared && found?.inCore !== true) throw undeclared(method);
  if (found === undefined) throw unknownTask();
  return found;
}

/** Returns a task; undefined if it does not exist, or belongs to another caller. */
export async function visibleTask(
  { host, store }: TaskRuntime,
  taskId: string,
  caller: Pick<Caller, 'auth'>,
): Promise<TaskRecord | undefined> {
  const [record, hash] = await Promise.all([store.get(taskId), callerHash(host, caller)]);
  return record?.caller === hash ? record : undefined;
}

/** The error for a task that does not exist, or that the caller may not see. */
export function unknownTask(): RpcError {
  return new RpcError(ErrorCode.invalidParams, 'Unknown task: it does not exist, or its time is over.');
}

/** The error for a client that did not declare the extension. */
export function undeclared(what: string): MissingCapabilityError {
  return new MissingCapabilityError(
    { extensions: { [extensionId]: {} } },
    `${what} needs a client that declares the extension "${extensionId}".`,
  );
}
