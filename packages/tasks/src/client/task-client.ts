import type { CallOptions, ToolResult } from '@tenon/mcp-client';
import type { ExtensionClient } from '@tenon/mcp-client/extension';
import type { InputResponse } from '@tenon/mcp-protocol';
import type { DetailedTask, Task } from '../model/task.js';
import type { ClientTasks } from './client-tasks.js';
import { referenceTo, requireReference, type TaskReference, wireIn } from './task-reference.js';
import { readTasks, TaskRequests } from './task-requests.js';
import { TaskUpdates } from './task-updates.js';

/** Options of one request for a task. */
export type TaskRequestOptions = Pick<CallOptions, 'signal' | 'timeout'>;

/** Options of {@link TaskClient.resume}. */
export interface ResumeOptions {
  /** Cancels the task. */
  readonly signal?: AbortSignal;
}

/** The result of a task that the client follows. */
export type ResumedTask = Promise<ToolResult> & {
  /** The task whenever it changes, until it has ended. A slow reader receives the newest state. */
  readonly updates: AsyncIterable<DetailedTask>;
};

/**
 * The tasks of a client: `client.tasks`. Each method rejects with a TypeError for a malformed reference, and with SessionError `refused`
 * for a reference to another server, `not-in-revision` if the server has no tasks of that kind any more; and as all calls do.
 */
export class TaskClient {
  readonly #client: ExtensionClient;
  readonly #tasks: ClientTasks;

  constructor(client: ExtensionClient, tasks: ClientTasks) {
    this.#client = client;
    this.#tasks = tasks;
  }

  /** Returns the task; in 2026-07-28 with its input requests, its result or its error. */
  async get(reference: TaskReference, options?: TaskRequestOptions): Promise<DetailedTask> {
    return this.#requests(reference).get(options);
  }

  /**
   * Answers input requests of a task, by their keys, in 2026-07-28. Tasks that `callTool` or `resume` follows are answered by the
   * handlers of the client. Rejects with `not-in-revision` in 2025-11-25.
   */
  async answer(
    reference: TaskReference,
    responses: { readonly [key: string]: InputResponse },
    options?: TaskRequestOptions,
  ): Promise<void> {
    return this.#requests(reference).update(responses, options);
  }

  /** Requests the end of a task. In 2026-07-28 the task may go on for a while, or end with its result. */
  async cancel(reference: TaskReference, options?: TaskRequestOptions): Promise<void> {
    return this.#requests(reference).cancel(options);
  }

  /** Returns the tasks of this client at the server, in 2025-11-25. Rejects with `capability-missing` if the server has no such list. */
  async list(options?: TaskRequestOptions): Promise<readonly Task[]> {
    return readTasks(this.#client, options);
  }

  /** Returns a reference to a task of the connected server, such as one of {@link list}. */
  async reference(taskId: string, call: TaskReference['call']): Promise<TaskReference> {
    const server = await this.#client.waitForServer();
    return requireReference(
      referenceTo(server, { wire: wireIn(server.revision) ?? 'extension', taskId }, call),
    );
  }

  /**
   * Follows a task to its end, also one that another process has started: answers its input requests with the handlers of the client, and
   * resolves with the result of the tool call. Rejects as the call would have.
   */
  resume(reference: TaskReference, { signal }: ResumeOptions = {}): ResumedTask {
    try {
      const { result, updates } = this.#tasks.follow({
        reference: requireReference(reference),
        created: undefined,
        signal,
      });
      // Shared by all that follow the task: each has a promise of its own.
      return withUpdates(Promise.resolve(result).then(itself), updates);
    } catch (error) {
      const updates = new TaskUpdates();
      updates.end();
      return withUpdates(Promise.reject(error), updates);
    }
  }

  #requests(reference: TaskReference): TaskRequests {
    return new TaskRequests(this.#client, requireReference(reference));
  }
}

function withUpdates(result: Promise<ToolResult>, updates: TaskUpdates): ResumedTask {
  return Object.assign(result, { updates });
}

function itself<T>(value: T): T {
  return value;
}
