import { detach, isRecord, pause } from '@tenon/foundation';
import { RemoteError, SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import type { ExtensionHost, InterceptedInput, ServerContributions } from '@tenon/mcp-server/extension';
import { fromCoreTask } from '../model/core-wire.js';
import { cancelTask, getTask, inCore, taskResult } from '../model/methods.js';
import { isTerminal, type Task } from '../model/task.js';
import type { InputTasks } from './task-settings.js';

type Host = Pick<ExtensionHost, 'clock'>;

/** Sends an input request, with other params and another signal. */
export type NextInput = Parameters<NonNullable<ServerContributions['interceptInput']>>[1];

/** Milliseconds between two requests for a task of a client that names no interval, and the least that clients can name. */
const pollInterval = 1_000;
const leastInterval = 100;
/** Beyond this, timers fire at once. */
const longestInterval = 2 ** 31 - 1;

/** True if the client runs an input request of this method as a task. */
export function runsAsTask({ method, clientCapabilities, revision }: InterceptedInput): boolean {
  const requests = inCore(revision) ? clientCapabilities.tasks?.requests : undefined;
  if (method === 'elicitation/create') return requests?.elicitation?.create !== undefined;
  return method === 'sampling/createMessage' && requests?.sampling?.createMessage !== undefined;
}

/**
 * Sends an input request as a task of the client, and waits for its result. The answer of a client that runs no task is taken as it is.
 * Rejects as the request without a task would.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export async function inputAsTask(
  { host, tasks: { ttl } }: { readonly host: Host; readonly tasks: InputTasks },
  request: InterceptedInput,
  next: NextInput,
): Promise<object> {
  const { params, signal } = request;
  const wanted = { ...params, task: ttl === undefined ? {} : { ttl } };
  // Such a request is not cancelled itself: once there is a task, the task is.
  const answer = await next(wanted, new AbortController().signal);
  const task = taskOf(answer);
  if (task === undefined) return answer;
  try {
    signal.throwIfAborted();
    return await resultOf(host, request, task);
  } catch (error) {
    if (signal.aborted) detach(request.request(cancelTask, { taskId: task.taskId }), () => {});
    throw ofRequest(request, error);
  }
}

/** Undefined for an answer that has the result of the request. */
function taskOf({ action, role, task }: UnknownObject): Task | undefined {
  return action === undefined && role === undefined && isRecord(task) ? fromCoreTask(task) : undefined;
}

/** Waits for the result of a task, and polls the task if the client does not answer in time. */
async function resultOf(host: Host, request: InterceptedInput, { taskId, pollIntervalMs }: Task) {
  const { signal } = request;
  for (let interval = pollIntervalMs; ; ) {
    const result = await unlessLate(signal, request.request(taskResult, { taskId }, { signal }));
    if (result !== undefined) return result;
    for (let task: Task | undefined; task === undefined || !isTerminal(task.status); ) {
      await pause(host.clock, Math.min(Math.max(interval ?? pollInterval, leastInterval), longestInterval), {
        signal,
      });
      signal.throwIfAborted();
      const read = await unlessLate(signal, request.request(getTask, { taskId }, { signal }));
      task = isRecord(read) ? fromCoreTask(read) : undefined;
      interval = task?.pollIntervalMs ?? interval;
    }
  }
}

/** Resolves with undefined if the client did not answer in the time of one request. */
async function unlessLate<T>(signal: AbortSignal, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!signal.aborted && error instanceof SessionError && error.reason === 'timeout') return undefined;
    throw error;
  }
}

/** Returns the error of a request about the task as that of the input request. */
function ofRequest({ method }: InterceptedInput, error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  const { code, peerMessage: message, data } = error;
  return new RemoteError({ code, message, data }, { method });
}
