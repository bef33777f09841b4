import { detach, pause } from '@tenon/foundation';
import {
  type CallToolResult,
  type ClientAnswer,
  ErrorCode,
  findRevision,
  type InputRequest,
  type ProgressParams,
  RemoteError,
  RpcError,
  SessionError,
  textOf,
  type WireError,
} from '@tenon/mcp-protocol';
import { MissingCapabilityError } from '@tenon/mcp-server';
import type { DetachedPorts } from '@tenon/mcp-server/extension';
import {
  type HeldLease,
  LastWrite,
  type LastWriteTarget,
  type Outcome,
  renewAfter,
  stateFailureOf,
  stepIn,
  untilReached,
} from '@tenon/mcp-state/extension';
import { isTerminal } from '../model/task.js';
import {
  completed,
  failed,
  type TaskRecord,
  type Transition,
  withMessage,
  withRequest,
  withStep,
} from './task-record.js';
import type { RunningTask, TaskRuntime } from './task-runtime.js';
import { RecordTooLargeError } from './task-store.js';

/** An input request that the handler waits for. */
interface Waiting {
  readonly method: InputRequest['method'];
  resolve(response: unknown): void;
  reject(error: unknown): void;
}

/** A task that this process runs. It holds the lease of the task, and is the destination of all that its handler sends. */
export class ActiveTask implements DetachedPorts, RunningTask {
  readonly taskId: string;
  readonly #runtime: TaskRuntime;
  readonly #lease: HeldLease;
  /** The task as it was when this process began to run it. */
  readonly record: TaskRecord;
  readonly #stop: AbortController;
  readonly #steps: Map<string, { readonly value?: unknown }>;
  readonly #waiting = new Map<string, Waiting>();
  /** Aborts when this process has no more part in the task. */
  readonly #left = new AbortController();
  #message: string | undefined;
  #isWriting = false;
  /** The end of the task, once its handler has returned or cannot go on. */
  #end: LastWrite<Transition> | undefined;

  /** @param stop - aborts the handler. */
  constructor(
    runtime: TaskRuntime,
    record: TaskRecord,
    { lease, stop }: { lease: HeldLease; stop: AbortController },
  ) {
    this.taskId = record.taskId;
    this.#runtime = runtime;
    this.record = record;
    this.#lease = lease;
    this.#stop = stop;
    this.#steps = new Map(Object.entries(record.steps));
    // The end of a task is fenced: it does not need the lease.
    lease.onLost(() => {
      if (this.#end === undefined) detach(this.#lose(), () => {});
    });
    runtime.active.set(this.taskId, this);
    detach(this.#follow(), (error) => this.#report(error));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Shows progress as the status message, at most once per poll interval. */
  progress(progress: Omit<ProgressParams, 'progressToken'>): void {
    if (this.signal.aborted) return;
    this.#message = messageOf(progress).slice(0, this.#runtime.settings.limits.statusMessage);
    if (this.#isWriting) return;
    detach(this.#writeMessages(), (error) => {
      if (!this.signal.aborted) this.#report(error);
    });
  }

  async input(key: string, request: InputRequest): Promise<unknown> {
    // First, so that an answer that arrives during the write finds its handler.
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(key, { method: request.method, resolve, reject });
    });
    detach(answered, () => {});
    try {
      await this.#change(withRequest(key, request));
    } catch (error) {
      this.#waiting.delete(key);
      throw error;
    }
    return answered;
  }

  readonly steps = {
    /** Checks, immediately before a step, that no other process runs the task or has ended it. */
    recall: async (key: string): Promise<{ readonly value: unknown } | undefined> => {
      const step = this.#steps.get(key);
      if (step === undefined) await this.#reached(() => this.#check());
      return step && { value: step.value };
    },
    keep: async (key: string, value: unknown): Promise<unknown> => {
      const record = await this.#change(withStep(key, value));
      const step = record && stepIn(record, key);
      return step === undefined ? value : step.value;
    },
  };

  /** Writes the outcome of the handler, unless the task has ended before. Never rejects. */
  async finish(handled: Promise<CallToolResult>): Promise<void> {
    const outcome = await this.#outcomeOf(handled);
    if (this.#end !== undefined) await this.#end.written();
    else if (this.signal.aborted) await this.#leave();
    else await this.#conclude(outcome);
  }

  /** Leaves the task to other processes, or lets it fail if its tool does not allow that. */
  async handOver(): Promise<void> {
    if (this.#left.signal.aborted) return;
    if (this.#end !== undefined) await this.#end.writeLast();
    else if (!this.record.takeOver) await this.#change(abandoned()).catch(() => {});
    await this.abort(
      new SessionError('closed', 'The server is closing: another process continues the task.'),
    );
    this.#runtime.changes.announce(this.taskId);
  }

  /** Aborts the handler, and releases the task. Nothing that the handler does afterwards has an effect. */
  async abort(reason: unknown): Promise<void> {
    this.#stopHandler(reason);
    await this.#leave();
  }

  #stopHandler(reason: unknown): void {
    this.#stop.abort(reason);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  async #outcomeOf(handled: Promise<CallToolResult>): Promise<Outcome<Transition>> {
    try {
      const result = await handled;
      const message = result.isError === true ? this.#cut(textOf(result.content)) : undefined;
      return { end: completed(result, message), size: () => JSON.stringify(result).length };
    } catch (error) {
      if (!this.signal.aborted) this.#reportHidden(error);
      return failure(wireErrorOf(error), (message) => this.#cut(message));
    }
  }

  /** Ends the task, as soon as the state accepts its outcome. Other processes cannot take it over until then. Never rejects. */
  async #conclude(outcome: Outcome<Transition>): Promise<void> {
    this.#end ??= new LastWrite(this.#target, outcome);
    await this.#end.written();
    await this.#leave();
  }

  get #target(): LastWriteTarget<Transition> {
    const { host, settings, store, waiting } = this.#runtime;
    const { created, ttl } = this.record;
    return {
      clock: host.clock,
      write: (end) => store.change(this.record, end, this.#lease),
      instead: (message) => failed({ code: ErrorCode.internalError, message }, message),
      isOver: () => settings.now() >= created + ttl,
      left: this.#left.signal,
      waiting,
      report: (error) => this.#report(error),
    };
  }

  async #leave(): Promise<void> {
    if (this.#left.signal.aborted) return;
    this.#left.abort();
    if (this.#runtime.active.get(this.taskId) === this) this.#runtime.active.delete(this.taskId);
    // The lease ends by itself if the state cannot be reached.
    await this.#lease.release().catch(() => {});
  }

  /** Reads the task when it has changed, and from time to time, until this process leaves the task. */
  async #follow(): Promise<void> {
    const watch = this.#runtime.changes.watch(this.taskId);
    while (!this.#left.signal.aborted) {
      await watch.changed.wait(renewAfter, { signal: this.#left.signal });
      if (!this.#left.signal.aborted) await this.#read().catch((error) => this.#report(error));
    }
    watch.end();
  }

  /** Renews the lease, and reads the task. @throws RpcError if the state does not answer. */
  async #check(): Promise<void> {
    const [renewal, reading] = await Promise.allSettled([
      this.#runtime.store.renew(this.#lease),
      this.#read(),
    ]);
    if (renewal.status === 'rejected') throw renewal.reason;
    if (reading.status === 'rejected') throw reading.reason;
  }

  async #read(): Promise<void> {
    const record = await this.#runtime.store.get(this.taskId);
    if (!this.#left.signal.aborted) this.#apply(record);
  }

  /** Acts on what others have changed: answers, cancellation, the end of its time. */
  #apply(record: TaskRecord | undefined): void {
    const isOver = record === undefined || isTerminal(record.status);
    if (isOver && this.#end !== undefined) detach(this.#leave(), () => {});
    else if (isOver) {
      const reason = record === undefined ? 'The time of the task is over.' : `The task is ${record.status}.`;
      detach(this.abort(new SessionError('cancelled', reason)), () => {});
    }
    if (isOver) return;
    for (const [key, waiting] of this.#waiting) {
      const answer = Object.hasOwn(record.answers, key) ? record.answers[key] : undefined;
      if (answer === undefined) continue;
      this.#waiting.delete(key);
      this.#settle(waiting, answer);
    }
  }

  #settle({ method, resolve, reject }: Waiting, answer: ClientAnswer): void {
    const row = findRevision(this.record.call?.revision ?? '')?.inputRequests.get(method);
    if ('error' in answer) reject(new RemoteError(answer.error, { method }));
    // An answer of an earlier round was not checked before.
    else if (row?.result(answer.result) === undefined) resolve(answer.result);
    else
      reject(
        new SessionError(
          'invalid-answer',
          `The answer to ${method} does not match the schema of its result.`,
        ),
      );
  }

  /**
   * Changes the task for its handler.
   * @throws the reason of the signal if the handler was aborted, also because the task is lost, too large or over; RpcError.
   */
  #change(transition: Transition): Promise<TaskRecord | undefined> {
    return this.#reached(async () => {
      const record = await this.#runtime.store.change(this.record, transition, this.#lease);
      this.#apply(record);
      return record;
    });
  }

  /** Repeats work while the state cannot be reached, or is full: an outage does not end the handler. @throws like `#change`. */
  async #reached<Result>(work: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    const { clock } = this.#runtime.host;
    const report = (error: unknown) => this.#report(error);
    try {
      return await untilReached({ clock, report, signal: this.signal }, work);
    } catch (error) {
      this.#failed(error);
      throw error;
    } finally {
      this.signal.throwIfAborted();
    }
  }

  /** Aborts the handler if the failed work shows that it must end. */
  #failed(error: unknown): void {
    if (error instanceof RecordTooLargeError) {
      this.#stopHandler(new SessionError('limit', error.message));
      const outcome = failure({ code: ErrorCode.internalError, message: error.message });
      detach(this.#conclude(outcome), () => {});
    }
    if (stateFailureOf(error) === 'fenced') detach(this.#lose(), () => {});
  }

  #lose(): Promise<void> {
    return this.abort(new SessionError('cancelled', 'Another process has taken over the task.'));
  }

  async #writeMessages(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#message !== undefined && !this.#left.signal.aborted && this.#end === undefined) {
        const message = this.#message;
        this.#message = undefined;
        await this.#change(withMessage(message));
        await pause(this.#runtime.host.clock, this.record.pollInterval, { signal: this.#left.signal });
      }
    } finally {
      this.#isWriting = false;
    }
  }

  #cut(text: string): string {
    return text.slice(0, this.#runtime.settings.limits.statusMessage);
  }

  #report(error: unknown): void {
    this.#runtime.report(error, `task ${this.taskId}`);
  }

  /** Reports an error that the client must not see. */
  #reportHidden(error: unknown): void {
    if (!(error instanceof RpcError) && !(error instanceof MissingCapabilityError)) this.#report(error);
  }
}

/** The end of a task that no other process may continue. */
export function abandoned(): Transition {
  const message =
    'The process that ran the task has ended, and the tool does not allow another process to continue.';
  return failed({ code: ErrorCode.internalError, message }, message);
}

/** Returns the outcome of a handler that has failed. */
function failure(error: WireError, cut: (message: string) => string = String): Outcome<Transition> {
  return { end: failed(error, cut(error.message)), size: () => JSON.stringify(error).length };
}

function messageOf({ progress, total, message }: Omit<ProgressParams, 'progressToken'>): string {
  return message ?? (total === undefined ? String(progress) : `${progress} of ${total}`);
}

/** Returns the error of a handler as its client may see it. */
function wireErrorOf(error: unknown): WireError {
  if (error instanceof RpcError) return error.toWire();
  if (error instanceof MissingCapabilityError)
    return {
      code: ErrorCode.missingClientCapability,
      message: error.message,
      data: { requiredCapabilities: error.required },
    };
  return { code: ErrorCode.internalError, message: 'Internal error' };
}
