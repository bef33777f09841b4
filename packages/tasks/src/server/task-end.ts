import { ErrorCode } from '@tenon/mcp-protocol';
import type { Fence, StateFailure } from '@tenon/mcp-state';
import { failed, type TaskRecord, type Transition } from './task-record.js';
import { beat, pause, type TaskRuntime } from './task-runtime.js';
import { failureOf, RecordTooLargeError } from './task-store.js';

/** The outcome of a handler. */
export interface Outcome {
  readonly end: Transition;
  /** Returns the characters of the outcome as JSON. */
  size(): number;
}

/** A task with a handler that has returned. */
export interface EndedTask {
  readonly record: TaskRecord;
  readonly fence: Fence;
  /** Aborts when this process has no more part in the task. */
  readonly left: AbortSignal;
}

/** Milliseconds of the first pause between two attempts to write an outcome. It doubles, up to the time between two renewals. */
const firstPause = 500;
/** Milliseconds for which an outcome waits for a state that is full. */
const fullTime = 30_000;
/** The end of a task in this process, which is written when the state accepts it: the handler does not run again. */
export class TaskEnd {
  readonly #runtime: TaskRuntime;
  readonly #task: EndedTask;
  /** Undefined once the outcome was dropped. */
  #outcome: Outcome | undefined;
  #end: Transition;
  #free: (() => void) | undefined;
  #written: Promise<void> | undefined;

  constructor(runtime: TaskRuntime, task: EndedTask, outcome: Outcome) {
    this.#runtime = runtime;
    this.#task = task;
    this.#outcome = outcome;
    this.#end = outcome.end;
  }

  /** Resolves when the state has the end, or this process has no more part in the task. Never rejects. */
  written(): Promise<void> {
    this.#written ??= this.#write().finally(() => this.#free?.());
    return this.#written;
  }

  /** Writes the end once more, because the process ends: the outcome, or an error that needs less space. Never rejects. */
  async writeLast(): Promise<void> {
    if ((await this.#failure()) === undefined || this.#outcome === undefined) return;
    this.#drop(unfit('the server closed before its state accepted the result'));
    await this.#failure();
  }

  async #write(): Promise<void> {
    const { host, settings } = this.#runtime;
    const { record, left } = this.#task;
    const began = host.clock.now();
    for (let wait = firstPause; !left.aborted; wait = Math.min(beat, 2 * wait)) {
      const failure = await this.#failure();
      if (failure === undefined || failure.reason === 'fenced' || failure.reason === 'closed') return;
      if (settings.now() >= record.created + record.ttl) return;
      const isLate = host.clock.now() - began >= fullTime;
      const problem = this.#outcome && this.#problem(failure, isLate);
      if (problem === undefined) await pause(host.clock, wait, left);
      else this.#drop(problem);
    }
  }

  /** Writes the end. @returns undefined if the task has ended. */
  async #failure(): Promise<Failure | undefined> {
    const { record, fence } = this.#task;
    try {
      await this.#runtime.store.change(record, this.#end, fence);
      return undefined;
    } catch (error) {
      if (error instanceof RecordTooLargeError) return { reason: 'too-large', message: error.message };
      const reason = failureOf(error);
      if (reason !== 'fenced') this.#runtime.report(error, `task ${record.taskId}`);
      return { reason, message: String(error) };
    }
  }

  /** Returns the error that replaces an outcome; undefined if the outcome waits for the state. */
  #problem({ reason, message }: Failure, isLate: boolean): string | undefined {
    if (reason === 'too-large') return message;
    if (reason === 'quota') return unfit('the caller has used up its share');
    if (reason === undefined) return unfit('its text is not accepted');
    const isFull = reason === 'full';
    if (isFull && isLate) return unfit('it is full');
    this.#free ??= this.#runtime.waiting.add(this.#outcome?.size() ?? 0);
    if (this.#free !== undefined) return undefined;
    return unfit(isFull ? 'it is full' : 'it cannot be reached, and other results wait for it already');
  }

  /** Replaces the outcome by an error that needs little space. */
  #drop(message: string): void {
    this.#outcome = undefined;
    this.#end = failed({ code: ErrorCode.internalError, message }, message);
    this.#free?.();
  }
}

/** A failure to write the end of a task. */
interface Failure {
  readonly reason: StateFailure | undefined;
  readonly message: string;
}

function unfit(why: string): string {
  return `The result does not fit into the state of the server: ${why}.`;
}
