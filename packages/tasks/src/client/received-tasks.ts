import { detach, isRecord, unlessAborted } from '@tenon/foundation';
import type { ExtensionClient, LiveInputRequest } from '@tenon/mcp-client/extension';
import { ErrorCode, type InputResponse, RpcError, type UnknownObject } from '@tenon/mcp-protocol';
import { relatedTask, toCoreTask } from '../model/core-wire.js';
import { taskStatusChanged } from '../model/methods.js';
import { isTerminal, relatedTaskKey, type Task, type TaskStatus } from '../model/task.js';
import type { TaskBounds } from './task-options.js';

/** Runs the handler of an input request. */
type Next = (signal?: AbortSignal) => Promise<InputResponse>;

interface ReceivedTask {
  task: Task;
  readonly stop: AbortController;
  /** Resolves with the response, or rejects with the error, once the task has ended. */
  readonly ended: Promise<UnknownObject>;
  readonly end: (outcome: Promise<UnknownObject>) => void;
}

/** Tasks of one page of `tasks/list`. */
const pageSize = 100;

/** Milliseconds that the server should wait between two requests for a task. */
const pollInterval = 1_000;

/**
 * Input requests that the server has sent as tasks, in revisions with tasks in their core: the handlers of the client run them.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 */
export class ReceivedTasks {
  readonly #client: ExtensionClient;
  readonly #bounds: Pick<TaskBounds, 'received' | 'receivedTtl'>;
  readonly #tasks = new Map<string, ReceivedTask>();

  constructor(client: ExtensionClient, bounds: Pick<TaskBounds, 'received' | 'receivedTtl'>) {
    this.#client = client;
    this.#bounds = bounds;
  }

  /** Answers an input request: with a task if the server asked for one. Answers that belong to a task name it. */
  async answer({ params }: LiveInputRequest, next: Next): Promise<object> {
    const { task, _meta } = params;
    if (isRecord(task)) {
      const started = this.#start(task.ttl, next);
      return { task: toCoreTask(started), _meta: relatedTask(started.taskId) };
    }
    const related = isRecord(_meta) ? _meta[relatedTaskKey] : undefined;
    const response = await next();
    if (related === undefined) return response;
    return { ...response, _meta: { ...response._meta, [relatedTaskKey]: related } };
  }

  get(params: UnknownObject): UnknownObject {
    return toCoreTask(this.#find(params).task);
  }

  /** Waits for the end of the task. Rejects as the request would have. */
  async result(params: UnknownObject, signal: AbortSignal): Promise<UnknownObject> {
    const { task, ended } = this.#find(params);
    const response = await unlessAborted(ended, signal);
    const _meta = { ...(response._meta as object | undefined), ...relatedTask(task.taskId) };
    return { ...response, _meta };
  }

  list({ cursor }: UnknownObject): UnknownObject {
    const all = [...this.#tasks.values()];
    const from = cursor === undefined ? 0 : all.findIndex(({ task }) => task.taskId === cursor) + 1;
    if (cursor !== undefined && from === 0)
      throw new RpcError(ErrorCode.invalidParams, 'The cursor is unknown: request the first page again.');
    const page = all.slice(from, from + pageSize);
    const last = page.at(-1);
    const more = last !== undefined && from + pageSize < all.length;
    return {
      tasks: page.map(({ task }) => toCoreTask(task)),
      ...(more && { nextCursor: last.task.taskId }),
    };
  }

  cancel(params: UnknownObject): UnknownObject {
    const found = this.#find(params);
    const { status, taskId } = found.task;
    if (isTerminal(status))
      throw new RpcError(ErrorCode.invalidParams, `The task ${taskId} has ended already: it is ${status}.`);
    const reason = new RpcError(ErrorCode.invalidRequest, 'The task was cancelled: it has no result.');
    this.#end(found, 'cancelled', Promise.reject(reason));
    found.stop.abort(reason);
    return toCoreTask(found.task);
  }

  /** The client has closed. */
  stop(): void {
    for (const { stop } of this.#tasks.values()) stop.abort();
    this.#tasks.clear();
  }

  #start(ttl: unknown, next: Next): Task {
    const { received, receivedTtl } = this.#bounds;
    if (this.#tasks.size >= received)
      throw new RpcError(
        ErrorCode.overloaded,
        `${received} tasks are kept already: send the request without a task, or later.`,
      );
    const now = new Date().toISOString();
    const task: Task = {
      taskId: globalThis.crypto.randomUUID(),
      status: 'working',
      createdAt: now,
      lastUpdatedAt: now,
      ttlMs: typeof ttl === 'number' && ttl > 0 ? Math.min(ttl, receivedTtl) : receivedTtl,
      pollIntervalMs: pollInterval,
    };
    let end: ReceivedTask['end'] = () => {};
    const ended = new Promise<UnknownObject>((resolve) => {
      end = resolve;
    });
    // Without a request for the result, an error is not a failure of this program.
    ended.catch(() => {});
    const entry: ReceivedTask = { task, stop: new AbortController(), ended, end };
    this.#tasks.set(task.taskId, entry);
    this.#client.clock.schedule(() => this.#expire(entry), task.ttlMs as number);
    detach(this.#run(entry, next), (error) => this.#client.onError(error));
    return task;
  }

  async #run(entry: ReceivedTask, next: Next): Promise<void> {
    // The answer with the task leaves first.
    await undefined;
    const { signal } = entry.stop;
    try {
      const response = await next(signal);
      this.#end(entry, 'completed', Promise.resolve({ ...response }));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof RpcError;
      const shown = known ? error : new RpcError(ErrorCode.internalError, 'Internal error');
      this.#end(entry, 'failed', Promise.reject(shown));
      if (!known) throw error;
    }
  }

  #end(entry: ReceivedTask, status: TaskStatus, outcome: Promise<UnknownObject>): void {
    outcome.catch(() => {});
    if (isTerminal(entry.task.status)) return;
    entry.task = { ...entry.task, status, lastUpdatedAt: new Date().toISOString() };
    entry.end(outcome);
    const notified = this.#client.notify(taskStatusChanged, toCoreTask(entry.task));
    // The server requests the state of tasks itself: notifications are optional.
    detach(notified, () => {});
  }

  #expire(entry: ReceivedTask): void {
    this.#tasks.delete(entry.task.taskId);
    entry.stop.abort(new RpcError(ErrorCode.invalidRequest, 'The time to live of the task has passed.'));
    this.#end(entry, 'cancelled', Promise.reject(entry.stop.signal.reason));
  }

  #find({ taskId }: UnknownObject): ReceivedTask {
    const found = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined;
    if (found !== undefined) return found;
    throw new RpcError(
      ErrorCode.invalidParams,
      'Unknown task: it was never created, or its time to live has passed.',
    );
  }
}
