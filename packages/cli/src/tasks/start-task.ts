import type { CallOptions, ToolResult } from '@tenon/mcp-client';
import { asTask, type DetailedTask, type TaskReference } from '@tenon/mcp-tasks/client';
import type { OpenOptions, ServerClient, ServerTarget } from '@tenon/mcp-workbench';
import { wayTo } from '../server/way-back.js';
import { answeringUnless, type InputHandlers } from './task-input.js';
import type { TaskStore } from './task-store.js';

/** The outcome of a call that may run as a task: a task that goes on at the server, or the result if the server answered at once. */
export type TaskStart =
  | { readonly kind: 'task'; readonly reference: TaskReference; readonly task: DetailedTask }
  | { readonly kind: 'result'; readonly result: ToolResult };

/** One call that may run as a task. */
export interface TaskCall {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly options?: CallOptions;
  /** Milliseconds for which the server is to keep the task, in revisions in which the client decides. */
  readonly ttl?: number;
}

/**
 * Starts tool calls as tasks. Open the connection with the options of `open`: they notice that the call has become a task.
 * Close the client afterwards: the task goes on at the server.
 */
export class TaskStarter {
  #created: TaskReference | undefined;
  #task: DetailedTask | undefined;
  #notice: () => void = () => {};
  /** False if the client stays connected until the task has ended, and answers its input requests. */
  leaves = true;

  /**
   * Returns the options of the connection.
   * @param handlers - answer the input requests of the call until it has become a task. A task waits for its input until it is resumed.
   */
  open(handlers: InputHandlers = {}): Partial<OpenOptions> {
    return {
      prefer: 'task',
      onTask: (task, reference) => {
        this.#task ??= task;
        this.#created ??= reference;
        this.#notice();
      },
      ...answeringUnless(() => this.leaves && this.#created !== undefined, handlers),
      // The client closes while the task waits for its input.
      limits: { drain: 1 },
    };
  }

  /** Calls a tool, and resolves when there is a task to leave, or a result. Rejects as `callTool` does. */
  async start(client: ServerClient, { name, args, options, ttl }: TaskCall): Promise<TaskStart> {
    const created = new Promise<void>((resolve) => {
      this.#notice = resolve;
    });
    // In revisions in which the client decides, the list says which tools can run as tasks.
    if (client.capabilities.tasks?.requests?.tools?.call !== undefined)
      await client.tools(options?.signal && { signal: options.signal }).all();
    const meta = { ...options?.meta, ...asTask(ttl === undefined ? {} : { ttl }) };
    const call = client.callTool(name, args ?? {}, { ...options, meta });
    const ended = call.then((result) => ({ kind: 'result', result }) as const);
    if (!this.leaves) return ended;
    const started = created.then(() => undefined);
    const first = await Promise.race([ended, started]);
    if (first !== undefined) return first;
    // Rejects when the client closes.
    ended.catch(() => undefined);
    const reference = this.#created;
    const task = this.#task;
    if (reference === undefined || task === undefined) return ended;
    return { kind: 'task', reference, task };
  }
}

/** Stores a task that was started, so that `tenon tasks` finds it again. Rejects with a WorkbenchError if the file cannot be used. */
export async function storeReference(
  { reference, task }: { readonly reference: TaskReference; readonly task: DetailedTask },
  target: ServerTarget,
  store: TaskStore,
): Promise<void> {
  const { status, statusMessage, createdAt, ttlMs } = task;
  await store.put({
    ...{ reference, way: wayTo(target), status, createdAt, ttlMs },
    storedAt: new Date().toISOString(),
    ...(statusMessage !== undefined && { statusMessage }),
  });
}
