import { isRecord } from '@tenon/foundation';
import type { CallOptions, Page } from '@tenon/mcp-client';
import { type ExtensionClient, Pages } from '@tenon/mcp-client/extension';
import { type InputResponse, SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import { fromCoreTask } from '../model/core-wire.js';
import { fromDetailedTask } from '../model/extension-wire.js';
import { cancelTask, getTask, listTasks, taskResult, updateTask } from '../model/methods.js';
import type { DetailedTask, Task } from '../model/task.js';
import { isTaskId, requireHere, type TaskReference } from './task-reference.js';

/** The requests for one task; each is refused unless the client is connected to the server of the task. */
export class TaskRequests {
  readonly #client: ExtensionClient;
  readonly #reference: TaskReference;

  constructor(client: ExtensionClient, reference: TaskReference) {
    this.#client = client;
    this.#reference = reference;
  }

  /** Returns the task, with the data of its status on the wire of the extension. */
  async get(options: CallOptions = {}): Promise<DetailedTask> {
    await this.#here(options);
    const { taskId, wire } = this.#reference;
    const answer = await this.#client.request(getTask, { taskId }, options);
    const task = wire === 'core' ? fromCoreTask(answer) : fromDetailedTask(answer);
    if (task?.taskId === taskId) return task;
    throw new SessionError(
      'invalid-answer',
      task === undefined
        ? `The answer to tasks/get ${taskId} is not a task.`
        : `The answer to tasks/get ${taskId} is another task.`,
    );
  }

  /** Sends responses to input requests. Only on the wire of the extension. */
  async update(
    inputResponses: { readonly [key: string]: InputResponse },
    options: CallOptions = {},
  ): Promise<void> {
    await this.#here(options);
    const { taskId, wire } = this.#reference;
    if (wire === 'core')
      throw new SessionError(
        'not-in-revision',
        `The server requests the input of the task ${taskId} itself: client.tasks.resume(reference) answers it with the handlers of the client.`,
      );
    await this.#client.request(updateTask, { taskId, inputResponses }, options);
  }

  /** Cancels the task. On the wire of the extension the server may need time for it. */
  async cancel(options: CallOptions = {}): Promise<void> {
    const { capabilities } = await this.#here(options);
    const { taskId, wire } = this.#reference;
    if (wire === 'core' && capabilities.tasks?.cancel === undefined)
      throw new SessionError(
        'capability-missing',
        `The server did not declare the capability "tasks.cancel", which tasks/cancel ${taskId} needs.`,
      );
    await this.#client.request(cancelTask, { taskId }, options);
  }

  /** Returns the result of the call once the task has ended. Only in the core protocol. */
  async result(options: CallOptions = {}): Promise<UnknownObject> {
    await this.#here(options);
    return this.#client.request(taskResult, { taskId: this.#reference.taskId }, options);
  }

  async #here({ signal }: CallOptions) {
    const server = await this.#client.waitForServer(signal);
    requireHere(this.#reference, server);
    return server;
  }
}

/** Of a list of tasks: each value counts as 32 bytes at least. */
const listBounds = { pages: 100, listBytes: 67_108_864 };

/** Reads the list of tasks, in the core protocol. */
export async function readTasks(
  client: ExtensionClient,
  options: CallOptions = {},
): Promise<readonly Task[]> {
  const { capabilities } = await client.waitForServer(options.signal);
  if (capabilities.tasks?.list === undefined)
    throw new SessionError(
      'capability-missing',
      'The server did not declare the capability "tasks.list", which tasks/list needs.',
    );
  const read = async (cursor: string | undefined): Promise<Page<Task>> => {
    const params = cursor === undefined ? {} : { cursor };
    const { tasks, nextCursor } = await client.request(listTasks, params, options);
    const items = (Array.isArray(tasks) ? tasks : []).flatMap((wire) => {
      const task = isRecord(wire) ? fromCoreTask(wire) : undefined;
      return task !== undefined && isTaskId(task.taskId) ? [task] : [];
    });
    return { items, ...(typeof nextCursor === 'string' && { nextCursor }) };
  };
  return new Pages(listTasks.name, listBounds, read).all();
}
