import { printableJson } from '@tenon/foundation';
import { type ElicitUrlParams, type InputRequest, type InputResponse, RemoteError } from '@tenon/mcp-client';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { DetailedTask, TaskReference } from '@tenon/mcp-tasks/client';
import { describeTarget, type OpenOptions, type ServerClient, WorkbenchError } from '@tenon/mcp-workbench';
import { templateOf } from '@tenon/mcp-workbench/calls';
import type { ResultOptions } from '../../content/print-result.js';
import { type JsonMembers, parseJsonObject, readText } from '../../files/files.js';
import { type InputOptions, inputSource } from '../../input/input-source.js';
import { ownFolder } from '../../server/named-server.js';
import type { ServerOptions } from '../../server/server-options.js';
import { describeWay, wayTo } from '../../server/way-back.js';
import { type ServerLine, withClient } from '../../server/with-client.js';
import { chosenTask } from '../../tasks/chosen-task.js';
import { printTask, printTasks, type TaskRow } from '../../tasks/print-tasks.js';
import { type StoredTask, TaskStore, wordsOf } from '../../tasks/task-store.js';

/** The options of the commands of `tenon tasks`. */
export interface TaskOptions extends ServerOptions, InputOptions, ResultOptions {
  /** The id of the task, for ids that the parser would take for an option. */
  readonly id?: string;
  readonly cancelOnInterrupt?: true;
  /** The answer to one input request, as JSON. */
  readonly accept?: string;
  readonly decline?: true;
  readonly cancel?: true;
  /** The key of the input request. */
  readonly key?: string;
}

export type TaskLine = ServerLine<TaskOptions>;

/** Prints the stored tasks; with a server, its tasks, with their state at present. */
export async function listTasks(line: TaskLine): Promise<void> {
  const { terminal, options, words, serverCommand } = line;
  const store = new TaskStore(ownFolder(terminal.source));
  if (words.length === 0 && serverCommand.length === 0) {
    const rows = (await store.list()).map(rowOf);
    return printTasks(terminal, rows, options.json === true);
  }
  await withClient(line, async ({ client, target }) => {
    const server = describeWay(wayTo(target));
    const stored = (await store.list()).filter(({ way }) => describeWay(way) === server);
    const rows = await rowsOf(client, { stored, store, signal: line.signal });
    printTasks(
      terminal,
      rows.map((row) => ({ ...row, server: describeTarget(target) })),
      options.json === true,
    );
  });
}

/** Prints the state of a task. */
export async function getTask(line: TaskLine): Promise<void> {
  await withTask(line, async ({ reference, read }) => {
    const task = await read();
    if (line.options.json) line.terminal.printJson(task);
    else printTask(line.terminal, task, reference);
  });
}

/** Requests the end of a task. */
export async function cancelTask(line: TaskLine): Promise<void> {
  await withTask(line, async ({ client, reference, read }) => {
    await client.tasks.cancel(reference, { signal: line.signal });
    const task = await read();
    if (line.options.json) line.terminal.printJson(task);
    else if (task.status === 'cancelled') line.terminal.print(`The task ${reference.taskId} is cancelled.`);
    else line.terminal.print(`The server has received the request; the task is ${task.status} so far.`);
  });
}

/** Answers open input requests of a task. */
export async function answerTask(line: TaskLine): Promise<void> {
  await withTask(line, async ({ client, reference, read }) => {
    const { inputRequests = {} } = await read();
    if (reference.wire === 'core') {
      throw new WorkbenchError('usage', 'A server of this revision sends its input requests itself.', {
        hint: `Answer them while the task is followed: tenon tasks resume ${wordsOf(reference.taskId)}`,
      });
    }
    const responses = await responsesFor(inputRequests, line);
    await client.tasks.answer(reference, responses, { signal: line.signal });
    const after = await read();
    if (line.options.json) line.terminal.printJson(after);
    else line.terminal.print(`Answered ${Object.keys(responses).join(', ')}; the task is ${after.status}.`);
  });
}

/** A task of a connected server. */
export interface TaskAt {
  readonly client: ServerClient;
  readonly reference: TaskReference;
  readonly store: TaskStore;
  /** Requests the state of the task, and stores it. */
  read(): Promise<DetailedTask>;
}

/** Connects to the server of the task that a command line names. @param given - further options of the connection. */
export async function withTask(
  line: TaskLine,
  use: (task: TaskAt) => Promise<void>,
  given: Partial<OpenOptions> = {},
): Promise<void> {
  const store = new TaskStore(ownFolder(line.terminal.source));
  const chosen = await chosenTask(line, store);
  const open = { ...chosen.line.open, ...given };
  await withClient({ ...chosen.line, open }, async ({ client }) => {
    const reference = await chosen.referenceFor(client);
    const read = async () => {
      const task = await client.tasks.get(reference, { signal: line.signal });
      await store.update({ reference }, task);
      return task;
    };
    await use({ client, reference, store, read });
  });
}

function rowOf({ reference, way, status, statusMessage, createdAt }: StoredTask): TaskRow {
  const { taskId, call } = reference;
  const row = { taskId, status, createdAt, tool: call.name, server: describeWay(way) };
  return statusMessage === undefined ? row : { ...row, statusMessage };
}

/** Returns the stored tasks of a server with their present state, and the other tasks that the server lists. */
async function rowsOf(
  client: ServerClient,
  { stored, store, signal }: { stored: readonly StoredTask[]; store: TaskStore; signal: AbortSignal },
): Promise<readonly TaskRow[]> {
  const rows = new Map<string, TaskRow>();
  for (const task of stored) {
    const { reference } = task;
    try {
      const seen = await client.tasks.get(reference, { signal });
      await store.update(task, seen);
      rows.set(reference.taskId, { ...rowOf({ ...task, status: seen.status }), ...messageOf(seen) });
    } catch (error) {
      if (signal.aborted) throw error;
      // The server no longer knows the task.
      if (error instanceof RemoteError) await store.remove(task);
      // A task of another revision keeps the state that was seen last.
      else rows.set(reference.taskId, rowOf(task));
    }
  }
  if (client.capabilities.tasks?.list === undefined) return [...rows.values()];
  for (const { taskId, status, statusMessage, createdAt } of await client.tasks.list({ signal })) {
    if (rows.has(taskId)) continue;
    rows.set(taskId, { taskId, status, createdAt, ...(statusMessage !== undefined && { statusMessage }) });
  }
  return [...rows.values()];
}

function messageOf({ statusMessage }: DetailedTask): { readonly statusMessage?: string } {
  return statusMessage === undefined ? {} : { statusMessage };
}

/** Returns the responses that the options have, by key. */
async function responsesFor(
  requests: { readonly [key: string]: InputRequest },
  line: TaskLine,
): Promise<{ readonly [key: string]: InputResponse }> {
  const { options, terminal } = line;
  const open = Object.keys(requests);
  if (open.length === 0)
    throw new WorkbenchError('usage', 'The task has no open input requests.', {
      hint: 'See its state: tenon tasks get ID',
    });
  if (options.answers !== undefined) {
    const text = await readText(options.answers, terminal);
    return responsesIn(parseJsonObject(text, options.answers), options.answers, open);
  }
  const response = responseOf(options);
  if (response === undefined && terminal.isInteractive) return responsesOfUser(requests, line);
  if (response === undefined) {
    const list = open.map((key) => `  ${key}: ${describeRequest(requests[key])}`).join('\n');
    throw new WorkbenchError('usage', `No answer is given. Open input requests:\n${list}`, {
      hint: `For example: --key ${open[0]} --accept '${exampleFor(requests[open[0] ?? ''])}', or --decline`,
    });
  }
  const key = options.key ?? (open.length === 1 ? open[0] : undefined);
  if (key !== undefined && open.includes(key)) return { [key]: response };
  const what =
    key === undefined ? 'Several input requests are open' : `No input request has the key "${key}"`;
  throw new WorkbenchError('usage', `${what}. The keys are: ${open.join(', ')}.`, {
    hint: 'Choose one: --key KEY',
  });
}

/** Returns content that the input request accepts, with places to fill in. */
function exampleFor(request: InputRequest | undefined): string {
  const template = templateOf(request?.params ?? {});
  return printableJson(isObject(template) ? (template.content ?? {}) : {});
}

/** Returns the answers of the user at the terminal. */
async function responsesOfUser(
  requests: { readonly [key: string]: InputRequest },
  line: TaskLine,
): Promise<{ readonly [key: string]: InputResponse }> {
  const { open, signal } = await inputSource(line, {});
  const responses: [string, InputResponse][] = [];
  for (const [key, { method, params }] of Object.entries(requests)) {
    const context = { signal, server: undefined };
    if (method === 'elicitation/create') {
      const response =
        'requestedSchema' in params
          ? await open.onElicit?.(params, context)
          : await open.onElicitUrl?.(params as ElicitUrlParams, context);
      if (response !== undefined) responses.push([key, response]);
    } else if (method === 'sampling/createMessage') {
      const response = await open.onSample?.(params, context);
      if (response !== undefined) responses.push([key, response as InputResponse]);
    }
  }
  return Object.fromEntries(responses);
}

function describeRequest(request: InputRequest | undefined): string {
  if (request?.method !== 'elicitation/create') return String(request?.method);
  const { message } = request.params;
  const fields = 'requestedSchema' in request.params ? request.params.requestedSchema.properties : undefined;
  return fields === undefined ? message : `${message} (${Object.keys(fields).join(', ')})`;
}

function responseOf({ accept, decline, cancel }: TaskOptions): InputResponse | undefined {
  if ([accept, decline, cancel].filter((choice) => choice !== undefined).length > 1)
    throw new WorkbenchError('usage', 'Only one of --accept, --decline and --cancel can be given.');
  if (decline) return { action: 'decline' };
  if (cancel) return { action: 'cancel' };
  if (accept === undefined) return undefined;
  const content = parseJsonObject(accept, 'The value of --accept');
  return { action: 'accept', content: content as never };
}

async function responsesIn(
  responses: JsonMembers,
  file: string,
  open: readonly string[],
): Promise<{ readonly [key: string]: InputResponse }> {
  const entries = Object.entries(responses).filter(([key]) => open.includes(key));
  if (entries.length > 0) return Object.fromEntries(entries) as never;
  throw new WorkbenchError('usage', `${file} answers none of the open input requests: ${open.join(', ')}.`);
}
