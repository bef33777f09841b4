import { onAbort } from '@tenon/foundation';
import type { CallOptions, InputRequestContext, ToolResult } from '@tenon/mcp-client';
import { asTask, type DetailedTask, type TaskReference } from '@tenon/mcp-tasks/client';
import type { OpenOptions, ServerClient, ServerTarget } from '@tenon/mcp-workbench';
import { ownFolder } from '../server/named-server.js';
import { wayTo } from '../server/way-back.js';
import type { ServerLine } from '../server/with-client.js';
import { TaskStore, wordsOf } from './task-store.js';

/** The handlers of input requests. */
type InputHandlers = Pick<OpenOptions, 'onElicit' | 'onElicitUrl' | 'onSample'>;

/**
 * Returns handlers that leave an input request open when they fail, or when the user stops. A handler that throws would cancel the task.
 * @param stop - aborted with the error of a handler.
 */
export function leavingOpen(handlers: InputHandlers, stop: AbortController): InputHandlers {
  return wrapped(handlers, async (answer, signal) => {
    try {
      const response = await answer();
      if (!stop.signal.aborted) return response;
    } catch (error) {
      stop.abort(error);
    }
    return aborted(signal);
  });
}

/** Returns handlers that leave input requests open as soon as `isOver` returns true. */
function answeringUnless(isOver: () => boolean, handlers: InputHandlers): InputHandlers {
  return wrapped(handlers, async (answer, signal) => (isOver() ? aborted(signal) : answer()));
}

function wrapped(
  { onElicit, onElicitUrl, onSample }: InputHandlers,
  around: <R>(answer: () => R | Promise<R>, signal: AbortSignal) => Promise<R>,
): InputHandlers {
  const wrap =
    <P, R>(handler: (params: P, context: InputRequestContext) => R | Promise<R>) =>
    (params: P, context: InputRequestContext): Promise<R> =>
      around(() => handler(params, context), context.signal);
  return {
    ...(onElicit !== undefined && { onElicit: wrap(onElicit) }),
    ...(onElicitUrl !== undefined && { onElicitUrl: wrap(onElicitUrl) }),
    ...(onSample !== undefined && { onSample: wrap(onSample) }),
  };
}

/** Rejects when a signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));
}

/** The outcome of a call that may run as a task: a task that goes on at the server, or the result if the server answered at once. */
export type TaskStart =
  | { readonly kind: 'task'; readonly reference: TaskReference; readonly task: DetailedTask }
  | { readonly kind: 'result'; readonly result: ToolResult };

/** One call that may run as a task. */
interface TaskCall {
  readonly name: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly options?: CallOptions;
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
  async start(client: ServerClient, { name, args, options }: TaskCall): Promise<TaskStart> {
    const created = new Promise<void>((resolve) => {
      this.#notice = resolve;
    });
    // In revisions in which the client decides, the list says which tools can run as tasks.
    if (client.capabilities.tasks?.requests?.tools?.call !== undefined)
      await client.tools(options?.signal && { signal: options.signal }).all();
    const meta = { ...options?.meta, ...asTask() };
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

/** A connected server, and the starter if the call may be left as a task. */
interface CallPlace {
  readonly client: ServerClient;
  readonly target: ServerTarget;
  readonly starter: TaskStarter | undefined;
}

/**
 * Calls a tool and returns its result. A call that has become a task is stored and printed, and goes on at the server: the result is
 * undefined. A task of a server that was started for this command is followed to its end, because the server ends with the command.
 */
export async function callOrStart(
  { client, target, starter }: CallPlace,
  call: TaskCall,
  { terminal, options }: Pick<ServerLine, 'terminal' | 'options'>,
): Promise<ToolResult | undefined> {
  if (starter === undefined) return client.callTool(call.name, call.args, call.options);
  if (target.kind === 'command') {
    starter.leaves = false;
    terminal.note('The server ends with this command: the task is followed to its end.');
  }
  const started = await starter.start(client, call);
  if (started.kind === 'result') {
    if (starter.leaves) terminal.note('The server has answered at once, without a task.');
    return started.result;
  }
  const { reference } = started;
  if (options.json) terminal.printJson(reference);
  else terminal.print(reference.taskId);
  await storeReference(started, target, new TaskStore(ownFolder(terminal.source)));
  terminal.note(`The task goes on at the server. Follow it: tenon tasks resume ${wordsOf(reference.taskId)}`);
  return undefined;
}
