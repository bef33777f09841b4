import {
  type CallToolResult,
  ErrorCode,
  findRevision,
  type InputRequest,
  type InputResponse,
  type ProgressParams,
  RemoteError,
  RpcError,
  SessionError,
  textOf,
  type WireError,
} from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import { type DetachedPorts, MissingCapabilityError } from '@tenon/mcp-server';
import type { Lease } from '@tenon/mcp-state';
import { isTerminal } from '../model/task.js';
import {
  completed,
  failed,
  type TaskAnswer,
  type TaskRecord,
  type Transition,
  withMessage,
  withRequest,
  withStep,
} from './task-record.js';
import { beat, type RunningTask, type TaskRuntime } from './task-runtime.js';
import { isFenced, leaseTime, RecordTooLargeError } from './task-store.js';

/** Milliseconds between attempts to write what a handler depends on while the state cannot be reached. */
const retries = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

/** An input request that the handler waits for. */
interface Waiting {
  readonly method: InputRequest['method'];
  resolve(response: InputResponse): void;
  reject(error: unknown): void;
}

/** A task that this process runs. It holds the lease of the task, and is the destination of all that its handler sends. */
export class ActiveTask implements DetachedPorts, RunningTask {
  readonly taskId: string;
  readonly #runtime: TaskRuntime;
  readonly #lease: Lease;
  /** The task as it was when this process began to run it. */
  readonly record: TaskRecord;
  readonly #stop: AbortController;
  readonly #steps: Map<string, { readonly value?: unknown }>;
  readonly #waiting = new Map<string, Waiting>();
  /** Aborts when this process has no more part in the task. */
  readonly #left = new AbortController();
  #message: string | undefined;
  #isWriting = false;
  /** True once the handler has returned. */
  #hasReturned = false;

  /** @param stop - aborts the handler. */
  constructor(
    runtime: TaskRuntime,
    record: TaskRecord,
    { lease, stop }: { lease: Lease; stop: AbortController },
  ) {
    this.taskId = record.taskId;
    this.#runtime = runtime;
    this.record = record;
    this.#lease = lease;
    this.#stop = stop;
    this.#steps = new Map(Object.entries(record.steps));
    runtime.active.set(this.taskId, this);
    detach(this.#follow(), (error) => this.#report(error));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Shows progress as the status message, at most once per poll interval. */
  progress(progress: Omit<ProgressParams, 'progressToken'>): void {
    this.#message = messageOf(progress).slice(0, this.#runtime.settings.limits.statusMessage);
    if (!this.#isWriting) detach(this.#writeMessages(), (error) => this.#report(error));
  }

  async input(key: string, request: InputRequest): Promise<InputResponse> {
    // First, so that an answer that arrives during the write finds its handler.
    const answered = new Promise<InputResponse>((resolve, reject) => {
      this.#waiting.set(key, { method: request.method, resolve, reject });
    });
    detach(answered, () => {});
    try {
      this.#apply(await this.#persist(withRequest(key, request)));
    } catch (error) {
      this.#waiting.delete(key);
      throw error;
    }
    return answered;
  }

  readonly steps = {
    recall: async (key: string): Promise<{ readonly value: unknown } | undefined> => {
      const step = this.#steps.get(key);
      return step && { value: step.value };
    },
    keep: async (key: string, value: unknown): Promise<unknown> => {
      const record = await this.#persist(withStep(key, value));
      const step = record !== undefined && Object.hasOwn(record.steps, key) ? record.steps[key] : { value };
      this.#steps.set(key, step ?? { value });
      return step?.value;
    },
  };

  /** Writes the outcome of the handler, unless the task has ended before. Never rejects. */
  async finish(outcome: Promise<CallToolResult>): Promise<void> {
    let end: Transition;
    try {
      const result = await outcome;
      end = completed(result, result.isError === true ? this.#cut(textOf(result.content)) : undefined);
    } catch (error) {
      if (!this.signal.aborted) this.#reportHidden(error);
      const wire = wireErrorOf(error);
      end = failed(wire, this.#cut(wire.message));
    }
    this.#hasReturned = true;
    if (!this.signal.aborted) await this.#end(end);
    await this.#leave();
  }

  /** Leaves the task to other processes, or lets it fail if its tool does not allow that. */
  async handOver(): Promise<void> {
    if (this.#left.signal.aborted) return;
    if (!this.record.takeOver) await this.#end(abandoned());
    await this.abort(
      new SessionError('closed', 'The server is closing: another process continues the task.'),
    );
    this.#runtime.changes.announce(this.taskId);
  }

  /** Aborts the handler, and releases the task. Nothing that the handler does afterwards has an effect. */
  async abort(reason: unknown): Promise<void> {
    this.#stop.abort(reason);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    await this.#leave();
  }

  async #end(end: Transition): Promise<void> {
    try {
      await this.#persist(end);
    } catch (error) {
      const isKnown = isFenced(error) || error instanceof RecordTooLargeError || this.#left.signal.aborted;
      if (!isKnown) this.#report(error);
    }
  }

  /** Changes the task, again while the state cannot be reached: an outage does not end the handler. @throws like `#change`. */
  async #persist(transition: Transition): Promise<TaskRecord | undefined> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#change(transition);
      } catch (error) {
        const delay = retries[attempt];
        if (isFenced(error) || error instanceof RecordTooLargeError || delay === undefined) throw error;
        await this.#pause(delay);
        if (this.#left.signal.aborted) throw error;
      }
    }
  }

  async #leave(): Promise<void> {
    if (this.#left.signal.aborted) return;
    this.#left.abort();
    if (this.#runtime.active.get(this.taskId) === this) this.#runtime.active.delete(this.taskId);
    // The lease ends by itself if the state cannot be reached.
    await this.#lease.release().catch(() => false);
  }

  /** Renews the lease, and reads the task when it has changed, until this process leaves the task. */
  async #follow(): Promise<void> {
    const { changes, host, store } = this.#runtime;
    const watch = changes.watch(this.taskId);
    let renewed = host.clock.now();
    for (;;) {
      await watch.next(beat, this.#left.signal);
      if (this.#left.signal.aborted) break;
      try {
        if (host.clock.now() - renewed >= beat) {
          if (!(await this.#lease.renew(leaseTime))) await this.#lose();
          renewed = host.clock.now();
        }
        const record = await store.get(this.taskId);
        if (!this.#left.signal.aborted && !this.#hasReturned) this.#apply(record);
      } catch (error) {
        this.#report(error);
      }
    }
    watch.end();
  }

  /** Acts on what others have changed: answers, cancellation, the end of its time. */
  #apply(record: TaskRecord | undefined): void {
    if (record === undefined || isTerminal(record.status)) {
      const reason = record === undefined ? 'The time of the task is over.' : `The task is ${record.status}.`;
      detach(this.abort(new SessionError('cancelled', reason)), () => {});
      return;
    }
    for (const [key, waiting] of this.#waiting) {
      const answer = Object.hasOwn(record.answers, key) ? record.answers[key] : undefined;
      if (answer === undefined) continue;
      this.#waiting.delete(key);
      this.#settle(waiting, answer);
    }
  }

  #settle({ method, resolve, reject }: Waiting, answer: TaskAnswer): void {
    const row = findRevision(this.record.call?.revision ?? '')?.inputRequests.get(method);
    if ('error' in answer) reject(new RemoteError(answer.error, { method }));
    // An answer of an earlier round was not checked before.
    else if (row?.result(answer.result) === undefined) resolve(answer.result);
    else
      reject(new SessionError('invalid-answer', `The answer to ${method} has not the shape of its result.`));
  }

  /** @throws like `TaskStore.change`; the handler is aborted if the task is lost, too large or over. */
  async #change(transition: Transition): Promise<TaskRecord | undefined> {
    const { store } = this.#runtime;
    const { name, token } = this.#lease;
    try {
      return await store.change(this.taskId, transition, { name, token });
    } catch (error) {
      if (isFenced(error)) await this.#lose();
      if (error instanceof RecordTooLargeError) {
        const { message } = error;
        await store.change(this.taskId, failed({ code: ErrorCode.internalError, message }, message), {
          name,
          token,
        });
        await this.abort(new SessionError('limit', message));
      }
      throw error;
    }
  }

  #lose(): Promise<void> {
    return this.abort(new SessionError('cancelled', 'Another process has taken over the task.'));
  }

  async #writeMessages(): Promise<void> {
    this.#isWriting = true;
    try {
      while (this.#message !== undefined && !this.#left.signal.aborted) {
        const message = this.#message;
        this.#message = undefined;
        await this.#change(withMessage(message));
        await this.#pause(this.record.pollInterval);
      }
    } finally {
      this.#isWriting = false;
    }
  }

  /** Resolves after so many milliseconds, or when this process leaves the task. */
  #pause(ms: number): Promise<void> {
    const { signal } = this.#left;
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = this.#runtime.host.clock.schedule(done, ms);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted) done();
    });
  }

  #cut(text: string): string {
    return text.slice(0, this.#runtime.settings.limits.statusMessage);
  }

  #report(error: unknown): void {
    this.#runtime.host.onError(error, `task ${this.taskId}`);
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
