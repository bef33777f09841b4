import { isRecord } from '@tenon/foundation';
import {
  type ClientAnswer,
  decodeResult,
  ErrorCode,
  type Revision,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Context, MethodHandlerContext } from '@tenon/mcp-server';
import { type ServedMethod, serve } from '@tenon/mcp-server/extension';
import { coreStatus, toCoreTask } from '../model/core-wire.js';
import { cancelTask, getTask, inCore, listTasks, taskResult, updateTask } from '../model/methods.js';
import { isTerminal } from '../model/task.js';
import { callerHash, listOf } from './callers.js';
import { coreResult } from './core-results.js';
import { takeOver } from './take-over.js';
import { requestedTask, revisionOf, unknownTask, visibleTask } from './task-access.js';
import { cancelled, type TaskRecord, taskOf, withAnswers } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import { detailedTask } from './task-shapes.js';
import { RecordTooLargeError, tooLarge } from './task-store.js';

/** Tasks on one page of `tasks/list`. */
const pageSize = 50;

/** @param running - returns the parts of the running server. */
export function taskMethods(running: () => TaskRuntime, maxTtl: number): readonly ServedMethod[] {
  return [
    serve(getTask, (params, ctx) => get(running(), params, ctx)),
    serve(updateTask, (params, ctx) => update(running(), params, ctx)),
    serve(cancelTask, (params, ctx) => cancel(running(), params, ctx)),
    serve(taskResult, (params, ctx) => coreResult(running(), params, ctx), { timeout: maxTtl }),
    serve(listTasks, (params, ctx) => list(running(), params, ctx)),
  ];
}

async function get(runtime: TaskRuntime, params: UnknownObject, ctx: Context): Promise<UnknownObject> {
  const asked = { caller: ctx, method: getTask.name, forOldClients: true };
  const record = await requestedTask(runtime, params, asked);
  takeOver(runtime, record);
  const revision = revisionOf(ctx);
  return inCore(revision) ? toCoreTask(taskOf(record)) : detailedTask(record, revision);
}

/** Acknowledges every answer, and keeps those that fit an open input request. */
async function update(runtime: TaskRuntime, params: UnknownObject, ctx: Context): Promise<UnknownObject> {
  const record = await requestedTask(runtime, params, { caller: ctx, method: updateTask.name });
  const { inputResponses } = params;
  if (!isRecord(inputResponses))
    throw new RpcError(
      ErrorCode.invalidParams,
      `Invalid params for ${updateTask.name}: inputResponses must be an object`,
    );
  const answers = fitting(record, inputResponses, revisionOf(ctx));
  try {
    await runtime.store.change(record, withAnswers(answers));
  } catch (cause) {
    throw cause instanceof RecordTooLargeError ? tooLarge('The answers are', cause) : cause;
  }
  takeOver(runtime, record);
  return {};
}

/** Returns the answers that have the shape of an open input request. */
function fitting(
  { open }: TaskRecord,
  responses: UnknownObject,
  revision: Revision,
): Readonly<Record<string, ClientAnswer>> {
  const answers: [string, ClientAnswer][] = [];
  for (const [key, response] of Object.entries(responses)) {
    const row = Object.hasOwn(open, key) ? revision.inputRequests.get(open[key]?.method ?? '') : undefined;
    if (row === undefined) continue;
    const read = decodeResult(revision, row, response);
    if (read.ok) answers.push([key, { result: read.value }]);
  }
  return Object.fromEntries(answers);
}

async function cancel(runtime: TaskRuntime, params: UnknownObject, ctx: Context): Promise<UnknownObject> {
  const asked = { caller: ctx, method: cancelTask.name, forOldClients: true };
  let before = await requestedTask(runtime, params, asked);
  const { status } = before;
  const isCore = inCore(revisionOf(ctx));
  const cancelIt = cancelled('The task was cancelled by request.');
  const record = isTerminal(status)
    ? undefined
    : await runtime.store.change(before, (found) => {
        before = found;
        return cancelIt(found);
      });
  if (!isCore) return {};
  if (record === undefined && !isTerminal(status)) throw unknownTask();
  if (record !== undefined && !isTerminal(before.status)) return toCoreTask(taskOf(record));
  const ended = `The task has ended already: it is ${coreStatus(taskOf(before))}.`;
  throw new RpcError(ErrorCode.invalidParams, ended);
}

async function list(
  runtime: TaskRuntime,
  { cursor }: UnknownObject,
  ctx: MethodHandlerContext,
): Promise<UnknownObject> {
  const caller = await callerHash(runtime.host, ctx);
  // Without a principal and a session callers with one address look the same: no caller may read the ids of another.
  const own = await listOf(caller, ctx.session);
  const ids = own === undefined ? [] : await runtime.store.list(own);
  const from = cursor === undefined ? 0 : ids.indexOf(String(cursor)) + 1;
  if (cursor !== undefined && from === 0)
    throw new RpcError(ErrorCode.invalidParams, 'The cursor is unknown: request the first page again.');
  const page = ids.slice(from, from + pageSize);
  const records = await Promise.all(page.map((taskId) => visibleTask(runtime, taskId, ctx)));
  const last = page.at(-1);
  return {
    tasks: records.flatMap((record) => (record === undefined ? [] : [toCoreTask(taskOf(record))])),
    ...(from + pageSize < ids.length && last !== undefined && { nextCursor: last }),
  };
}
