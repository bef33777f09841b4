import { detach, onAbort, unlessAborted } from '@tenon/foundation';
import type { ToolResult } from '@tenon/mcp-client';
import type { ExtensionClient } from '@tenon/mcp-client/extension';
import { type InputRequest, RemoteError, SessionError, type WireError } from '@tenon/mcp-protocol';
import { Alarm } from '../model/alarm.js';
import { type DetailedTask, isTerminal } from '../model/task.js';
import type { InputLedger } from './input-ledger.js';
import { isPassingFailure, waitAfter } from './passing-failures.js';
import { ResultRequest } from './result-request.js';
import type { TaskBounds } from './task-options.js';
import type { TaskReference } from './task-reference.js';
import { TaskRequests } from './task-requests.js';

/** One task to follow to its end. */
export interface Drive {
  readonly client: ExtensionClient;
  readonly bounds: TaskBounds;
  readonly reference: TaskReference;
  /** The task as the server created it; undefined if it is not known yet. */
  readonly created: DetailedTask | undefined;
  readonly ledger: InputLedger;
  /** Stops following the task. Its reason is the error; the task is cancelled, unless the client has closed. */
  readonly signal: AbortSignal;
  onTask(task: DetailedTask): void;
}

/**
 * Follows one task to its end: requests it at the interval of the server or waits for its notifications, and provides the input
 * that it requests.
 */
export class TaskDriver {
  readonly #drive: Drive;
  readonly #requests: TaskRequests;
  readonly #alarm: Alarm;
  readonly #result: ResultRequest;
  readonly #began: number;
  #task: DetailedTask | undefined;
  #changedAt: number;
  /** The time of the last request for the task, its creation included. */
  #polledAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  /** Milliseconds until the next request after a failed one. */
  #backoff = 0;
  /** Changes are notified: at once, from the acknowledgement on; `slow` once the task was requested after it. */
  #listening: 'no' | 'yes' | 'slow' = 'no';
  #failure: { readonly error: unknown } | undefined;

  constructor(drive: Drive) {
    const { client, bounds, reference, created } = drive;
    this.#drive = drive;
    this.#requests = new TaskRequests(client, reference);
    this.#alarm = new Alarm(client.clock);
    this.#result = new ResultRequest(this.#requests, {
      clock: client.clock,
      failures: bounds.failures,
      onSettled: () => this.#alarm.ring(),
    });
    this.#began = client.clock.now();
    this.#changedAt = this.#began;
    if (created === undefined) return;
    this.#task = created;
    drive.onTask(created);
    // Other states have data that a created task lacks: it is requested at once.
    if (created.status === 'working') this.#polledAt = this.#began;
  }

  /**
   * Resolves with the result of the tool call.
   * @throws RemoteError if the call ended with an error; SessionError `cancelled` if the task was cancelled, `timeout` if it is stuck,
   * `limit` and `invalid-answer` as for calls; the reason of the signal; and errors of input handlers.
   */
  async run(): Promise<ToolResult> {
    const { signal, ledger } = this.#drive;
    const release = onAbort(signal, () => this.#alarm.ring());
    try {
      for (;;) {
        signal.throwIfAborted();
        if (this.#failure !== undefined) throw this.#failure.error;
        const ended = await this.#ended();
        if (ended !== undefined) return ended;
        const wait = this.#due - this.#now;
        if (wait > 0) await this.#alarm.wait(wait, { holds: true });
        else await this.#poll();
      }
    } catch (error) {
      this.#abandon();
      throw error;
    } finally {
      release();
      ledger.stop();
    }
  }

  /** Receives the task from a notification. */
  take(task: DetailedTask): void {
    try {
      this.#take(task);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Changes are notified from now on. */
  listening(): void {
    this.#listening = 'yes';
  }

  /** Notifications may have been missed, or have ended. */
  missed(goesOn: boolean): void {
    this.#listening = goesOn ? 'yes' : 'no';
    this.#alarm.ring();
  }

  get #now(): number {
    return this.#drive.client.clock.now();
  }

  /** The time of the next request. */
  get #due(): number {
    const { pollInterval, minPollInterval, maxPollInterval, listeningPollInterval } = this.#drive.bounds;
    const asked = this.#task?.pollIntervalMs ?? pollInterval;
    const usual = Math.min(Math.max(asked, minPollInterval), Math.max(minPollInterval, maxPollInterval));
    const due = this.#polledAt + Math.max(usual, this.#backoff);
    if (this.#listening !== 'slow') return due;
    // No notification says that a task has expired.
    const expiry = this.#began + (this.#task?.ttlMs ?? Number.POSITIVE_INFINITY);
    return Math.max(due, Math.min(this.#polledAt + listeningPollInterval, expiry));
  }

  async #poll(): Promise<void> {
    const { bounds, signal } = this.#drive;
    const { listeningPollInterval: longest } = bounds;
    const listening = this.#listening;
    try {
      // Not cancelled with the signal: the server would receive a cancellation that is not for the task.
      const task = await unlessAborted(this.#requests.get(), signal);
      this.#failures = 0;
      this.#backoff = 0;
      // A change before the acknowledgement was not notified.
      if (listening === 'yes' && this.#listening === 'yes') this.#listening = 'slow';
      this.#take(task);
    } catch (error) {
      if (signal.aborted || !isPassingFailure(error) || ++this.#failures > bounds.failures) throw error;
      const doubled = bounds.pollInterval * 2 ** (this.#failures - 1);
      this.#backoff = Math.max(Math.min(doubled, longest), waitAfter(error));
    } finally {
      this.#polledAt = this.#now;
    }
    this.#requireMoving();
  }

  #take(task: DetailedTask): void {
    const known = this.#task;
    if (known !== undefined && (isComplete(known, this.#wire) || isOlder(task, known))) return;
    this.#task = task;
    if (known === undefined || differs(task, known)) {
      this.#changedAt = this.#now;
      this.#drive.onTask(task);
    }
    if (task.status === 'input_required') this.#provideInput(task);
    this.#alarm.ring();
  }

  get #wire(): TaskReference['wire'] {
    return this.#drive.reference.wire;
  }

  /** Returns the result if the task has ended. */
  async #ended(): Promise<ToolResult | undefined> {
    const { client, reference } = this.#drive;
    const { name } = reference.call;
    const task = this.#task;
    const { outcome } = this.#result;
    if (outcome !== undefined) {
      if ('error' in outcome) throw ofCall(outcome.error, name);
      return client.readToolResult(name, outcome.value);
    }
    if (task === undefined || !isComplete(task, this.#wire)) return undefined;
    if (task.status === 'cancelled') throw cancelled(reference, task);
    if (task.result !== undefined) return client.readToolResult(name, task.result);
    if (task.error !== undefined) throw errorOf(task.error, name);
    this.#result.open(true);
    return undefined;
  }

  #provideInput({ inputRequests }: DetailedTask): void {
    if (this.#wire === 'core') this.#result.open(false);
    if (inputRequests === undefined) return;
    const { ledger, bounds } = this.#drive;
    const { fresh, unsent } = ledger.open(inputRequests, bounds);
    const failed = (error: unknown) => this.#fail(error);
    for (const [key, request] of fresh) detach(this.#answer(key, request), failed);
    for (const key of unsent) detach(this.#send(key), failed);
  }

  async #answer(key: string, request: InputRequest): Promise<void> {
    const { client, ledger } = this.#drive;
    const signal = ledger.signalOf(key);
    try {
      const response = await client.answerInput(request, { signal });
      if (ledger.answered(key, response)) await this.#send(key);
    } catch (error) {
      if (signal?.aborted !== true) throw error;
    }
  }

  async #send(key: string): Promise<void> {
    const { ledger } = this.#drive;
    const response = ledger.take(key);
    if (response === undefined) return;
    try {
      await this.#requests.update({ [key]: response });
    } catch (error) {
      ledger.unsent(key);
      // Otherwise sent again when the task is seen the next time.
      if (!isPassingFailure(error)) throw error;
    }
  }

  #requireMoving(): void {
    const { bounds, reference } = this.#drive;
    const { ttlMs = null } = this.#task ?? {};
    const now = this.#now;
    if (ttlMs === null || now - this.#began <= ttlMs || now - this.#changedAt <= bounds.stuckAfter) return;
    if (this.#task !== undefined && isTerminal(this.#task.status)) return;
    throw new SessionError(
      'timeout',
      `The task ${reference.taskId} of the tool "${reference.call.name}" has not changed for ${bounds.stuckAfter} ms after its time to live (${ttlMs} ms).`,
    );
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#alarm.ring();
  }

  /** Cancels the task if the program gave up, and no longer waits for its result. */
  #abandon(): void {
    const { client, signal } = this.#drive;
    const closed = signal.reason instanceof SessionError && signal.reason.reason === 'closed';
    const gaveUp = signal.aborted ? !closed : this.#failure !== undefined;
    if (gaveUp) detach(this.#cancel(), (error) => client.onError(error));
    else this.#result.stop();
  }

  async #cancel(): Promise<void> {
    try {
      await this.#requests.cancel();
    } catch (error) {
      // The task may have ended, or the server cannot cancel tasks.
      if (!(error instanceof RemoteError) && !(error instanceof SessionError)) throw error;
    } finally {
      this.#result.stopLater();
    }
  }
}

/** True for a task that has ended, and has the data of its status. */
function isComplete({ status, result, error }: DetailedTask, wire: TaskReference['wire']): boolean {
  if (!isTerminal(status)) return false;
  return wire === 'core' || status === 'cancelled' || result !== undefined || error !== undefined;
}

/** True for a task that was read before another one. Times of the server are compared with each other only. */
function isOlder(task: DetailedTask, known: DetailedTask): boolean {
  return Date.parse(task.lastUpdatedAt) < Date.parse(known.lastUpdatedAt);
}

function differs(task: DetailedTask, known: DetailedTask): boolean {
  const { status, statusMessage, lastUpdatedAt } = known;
  return (
    task.status !== status || task.statusMessage !== statusMessage || task.lastUpdatedAt !== lastUpdatedAt
  );
}

function cancelled({ taskId, call }: TaskReference, { statusMessage }: DetailedTask): SessionError {
  const why = statusMessage === undefined ? '' : ` ${statusMessage}`;
  return new SessionError('cancelled', `The task ${taskId} of the tool "${call.name}" was cancelled.${why}`);
}

function errorOf(error: WireError, subject: string): RemoteError {
  return new RemoteError(error, { method: 'tools/call', subject });
}

/** Returns the error of `tasks/result` as the error of the call. */
function ofCall(error: unknown, subject: string): unknown {
  if (!(error instanceof RemoteError)) return error;
  const { code, peerMessage: message, data, cause } = error;
  return new RemoteError({ code, message, data }, { method: 'tools/call', subject, cause });
}
