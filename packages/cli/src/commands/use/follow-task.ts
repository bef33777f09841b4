import { onAbort, systemClock, unlessAborted, withinTime } from '@tenon/foundation';
import type { ToolResult } from '@tenon/mcp-client';
import type { DetailedTask, TaskReference } from '@tenon/mcp-tasks/client';
import {
  type OpenOptions,
  observeNotifications,
  type ServerClient,
  WorkbenchError,
} from '@tenon/mcp-workbench';
import { printResult as printToolResult } from '../../content/print-result.js';
import { inputSource } from '../../input/input-source.js';
import { ownFolder } from '../../server/named-server.js';
import { withClient } from '../../server/with-client.js';
import { chosenTask } from '../../tasks/chosen-task.js';
import { describeState } from '../../tasks/print-tasks.js';
import { leavingOpen } from '../../tasks/start-task.js';
import { TaskStore, wordsOf } from '../../tasks/task-store.js';
import type { Terminal } from '../../terminal/terminal.js';
import { type TaskAt, type TaskLine, type TaskOptions, withTask } from './tasks.js';

const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** Follows a task to its end, answers its input requests, and prints its result. The task goes on after Ctrl+C. */
export async function resumeTask(line: TaskLine): Promise<void> {
  const { options, terminal, signal } = line;
  const store = new TaskStore(ownFolder(terminal.source));
  const chosen = await chosenTask(line, store);
  const stop = new AbortController();
  const input = await inputSource({ ...line, signal: AbortSignal.any([signal, stop.signal]) }, options);
  const open = {
    ...chosen.line.open,
    ...input.open,
    ...leavingOpen(input.open, stop),
    limits: { ...chosen.line.open?.limits, ...limitsOf(options) },
  };
  await withClient({ ...chosen.line, open }, async ({ client }) => {
    const reference = await chosen.referenceFor(client);
    let isInterrupted = false;
    const interrupt = () => {
      isInterrupted = true;
      stop.abort(signal.reason ?? new WorkbenchError('usage', 'The task is not followed any more.'));
    };
    const release = onAbort(signal, interrupt);
    const endKeys = onInterruptKey(terminal, interrupt);
    try {
      const result = await input.run(() => follow(client, { reference, store, line, signal: stop.signal }));
      terminal.clearStatus();
      await printToolResult(result, { tool: reference.call, terminal, options });
    } catch (error) {
      if (isInterrupted) {
        await leave(client, reference, line);
        // The signal of Ctrl+C may be on its way.
        await new Promise<void>((resolve) => onAbort(signal, resolve));
      }
      throw error;
    } finally {
      endKeys();
      release();
    }
  });
}

/** Prints the result of a task that has ended. */
export async function printResult(line: TaskLine): Promise<void> {
  await withTask(line, async ({ client, reference, read }) => {
    const task = await read();
    if (!ended.has(task.status)) {
      throw new WorkbenchError('usage', `The task ${task.taskId} is ${task.status}: it has no result yet.`, {
        hint: `Wait for it: tenon tasks resume ${wordsOf(task.taskId)}`,
      });
    }
    const { terminal, options, signal } = line;
    const result = await unlessAborted(client.tasks.resume(reference), signal);
    await printToolResult(result, { tool: reference.call, terminal, options });
  });
}

/** Prints each change of a task until its end. Input requests are not answered. */
export async function watchTask(line: TaskLine): Promise<void> {
  const { terminal, options, signal } = line;
  let wake = () => {};
  const wrap = (dialer: Parameters<typeof observeNotifications>[0]) =>
    observeNotifications(dialer, ({ method }) => {
      if (method.startsWith('notifications/tasks')) wake();
    });
  const watch = async ({ client, reference, store }: TaskAt) => {
    await listen(client, reference);
    let last = '';
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const task = await client.tasks.get(reference, { signal });
        const text = describeState(task);
        if (text !== last) {
          last = text;
          await store.update({ reference }, task);
          if (options.json) terminal.printJsonLine(task);
          else terminal.print(`${terminal.paint('dim', timeNow())}  ${text}`);
        }
        if (ended.has(task.status)) return;
        await unlessAborted(
          withinTime(changed, { clock: systemClock, ms: intervalOf(task), holds: true }),
          signal,
        );
      }
    } catch (error) {
      if (signal.aborted) terminal.note(goesOn(reference));
      throw error;
    }
  };
  await withTask(line, watch, { wrap });
}

/** Requests notifications of a task. A server that does not send them is polled. */
async function listen(client: ServerClient, { wire, taskId }: TaskReference): Promise<void> {
  if (wire === 'core') return;
  try {
    await client.watch({ filters: { taskIds: [taskId] } }, () => undefined);
  } catch {
    // The state is requested at the interval of the server.
  }
}

async function follow(
  client: ServerClient,
  given: {
    readonly reference: TaskReference;
    readonly store: TaskStore;
    readonly line: TaskLine;
    readonly signal: AbortSignal;
  },
): Promise<ToolResult> {
  const { reference, store, line, signal } = given;
  const resumed = client.tasks.resume(reference);
  // Handled below; the task may end while its states are stored.
  resumed.catch(() => undefined);
  const report = async () => {
    for await (const task of resumed.updates) {
      show(task, line);
      await store.update({ reference }, task);
    }
  };
  const reported = report();
  reported.catch(() => undefined);
  const result = await unlessAborted(resumed, signal);
  await reported;
  return result;
}

function show(task: DetailedTask, { terminal }: TaskLine): void {
  if (!ended.has(task.status)) terminal.status(`${timeNow()}  ${describeState(task)}`);
}

/** The limits of a connection that does not wait for open input requests when it closes. */
function limitsOf({ timeout }: TaskOptions): NonNullable<OpenOptions['limits']> {
  return { drain: 1, ...(timeout !== undefined && { requestTimeout: timeout * 1_000 }) };
}

/** Leaves a task after Ctrl+C, or cancels it if the user wants that. */
async function leave(client: ServerClient, reference: TaskReference, line: TaskLine): Promise<void> {
  const { options, terminal } = line;
  if (!options.cancelOnInterrupt) {
    terminal.note(goesOn(reference));
    return;
  }
  await client.tasks.cancel(reference, { timeout: cancelTimeout });
  terminal.note(`The server has received the request to cancel the task ${reference.taskId}.`);
}

/** Milliseconds to wait for the answer to a cancellation after Ctrl+C. */
const cancelTimeout = 5_000;

function goesOn({ taskId }: TaskReference): string {
  return `The task goes on at the server. Follow it again: tenon tasks resume ${wordsOf(taskId)}`;
}

/** Milliseconds until the next request for a task, between the bounds of the client. */
function intervalOf({ pollIntervalMs = 1_000 }: DetailedTask): number {
  return Math.min(Math.max(pollIntervalMs, 100), 60_000);
}

function timeNow(): string {
  return new Date().toTimeString().slice(0, 8);
}

/**
 * Calls a function when the user presses Ctrl+C while a field of a form has the keyboard, and interrupts the program: the terminal sends
 * no signal then. Returns a function that ends this.
 */
function onInterruptKey({ source, isInteractive }: Terminal, interrupted: () => void): () => void {
  if (!isInteractive) return () => {};
  const pressed = (_: unknown, key: { readonly name?: string; readonly ctrl?: boolean } | undefined) => {
    if (key?.ctrl !== true || key.name !== 'c') return;
    interrupted();
    process.kill(process.pid, 'SIGINT');
  };
  source.input.on('keypress', pressed);
  return () => source.input.off('keypress', pressed);
}
