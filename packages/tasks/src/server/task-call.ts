import { follow, onAbort, unlessAborted } from '@tenon/foundation';
import type { CallToolResult, InputRequest, LogParams, ProgressParams } from '@tenon/mcp-protocol';
import type { DetachedPorts, ExtendedResult, InterceptedCall } from '@tenon/mcp-server/extension';
import { Alarm } from '../model/alarm.js';
import { relatedTask, toCoreTask } from '../model/core-wire.js';
import { toExtensionTask } from '../model/extension-wire.js';
import { inCore } from '../model/methods.js';
import { immediateResponseKey, taskResultType } from '../model/task.js';
import { callerHash, callerName, listsOf } from './callers.js';
import { newRecord, type TaskRecord, taskOf } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';
import type { TaskToolOptions, ToolSettings } from './task-settings.js';
import { newTaskId, RecordTooLargeError, tooLarge } from './task-store.js';
import { ActiveTask } from './task-worker.js';

/** A tool call that may become a task, and its settings. */
export interface TaskCall {
  readonly call: InterceptedCall<TaskToolOptions>;
  readonly tool: ToolSettings;
  /** Milliseconds for which the client requests to keep the task. */
  readonly ttl: number | undefined;
  /** Called with the id of the task that the call becomes, before its answer. */
  readonly created: (taskId: string) => void;
}

/**
 * Runs a call detached from its request, and answers it with the result, or with a task if the handler takes longer than
 * `promoteAfter` or requests input.
 */
export async function runTaskCall(runtime: TaskRuntime, given: TaskCall): Promise<ExtendedResult> {
  const run = new DetachedCallRun(runtime, given);
  return inCore(given.call.revision) || given.tool.promoteAfter === 0 ? run.asTask() : run.inlineOrAsTask();
}

/** Returns the name of the caller of a call, by which its handlers are counted. */
export function callerOf({ ctx, remoteAddress, session }: TaskCall['call']): string {
  return callerName({ principal: ctx.auth, remoteAddress, session });
}

/** The handler of one call: its messages go to the request until the call becomes a task, and to the task afterwards. */
class DetachedCallRun implements DetachedPorts {
  readonly #runtime: TaskRuntime;
  readonly #given: TaskCall;
  readonly #stop = new AbortController();
  readonly #steps: Map<string, { readonly value?: unknown }>;
  #task: ActiveTask | undefined;
  #promotion: Promise<ActiveTask> | undefined;
  /** Rings when the call must become a task. */
  readonly #promoted: Alarm;
  #message: string | undefined;

  constructor(runtime: TaskRuntime, given: TaskCall) {
    this.#runtime = runtime;
    this.#given = given;
    this.#promoted = new Alarm(runtime.host.clock);
    this.#steps = new Map(Object.entries(given.call.history?.steps ?? {}));
  }

  /** The task is there before the handler begins. */
  async asTask(): Promise<ExtendedResult> {
    const ended = this.#count();
    try {
      const task = await this.#promote();
      follow(task.finish(this.#given.call.detach(this)), ended, ended);
      return this.#created(task.record);
    } catch (error) {
      ended();
      throw error;
    }
  }

  async inlineOrAsTask(): Promise<ExtendedResult> {
    const ended = this.#count();
    const outcome = this.#given.call.detach(this);
    const { signal } = this.#given.call.ctx;
    const release = onAbort(signal, () => this.#stop.abort(signal.reason));
    try {
      const result = await this.#inline(outcome);
      if (result !== undefined) {
        ended();
        return result;
      }
      const task = await this.#promote();
      follow(task.finish(outcome), ended, ended);
      return this.#created(task.record);
    } catch (error) {
      this.#stop.abort(error);
      follow(outcome, ended, ended);
      throw error;
    } finally {
      release();
    }
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  progress(progress: Omit<ProgressParams, 'progressToken'>): void {
    if (this.#task === undefined) {
      this.#given.call.ctx.progress(progress.progress, progress.total, progress.message);
      this.#message = progress.message;
    } else this.#task.progress(progress);
  }

  /** Tasks have no log messages. */
  log({ level, data, logger }: LogParams): void {
    if (this.#promotion === undefined) this.#given.call.ctx.log(level, data, logger);
  }

  async input(key: string, request: InputRequest): Promise<unknown> {
    return (await this.#promote()).input(key, request);
  }

  readonly steps = {
    recall: async (key: string): Promise<{ readonly value: unknown } | undefined> => {
      const step = this.#steps.get(key);
      return step === undefined ? (await this.#promotion)?.steps.recall(key) : { value: step.value };
    },
    keep: async (key: string, value: unknown): Promise<unknown> => {
      if (this.#promotion !== undefined) return (await this.#promotion).steps.keep(key, value);
      this.#steps.set(key, { value });
      return value;
    },
  };

  /** Counts the handler until its outcome is written. @returns the function that ends the count. */
  #count(): () => void {
    return this.#runtime.running.add(callerOf(this.#given.call));
  }

  /** Returns the result; undefined if the call must become a task. */
  async #inline(outcome: Promise<CallToolResult>): Promise<CallToolResult | undefined> {
    const late = this.#promoted.wait(this.#given.tool.promoteAfter).then(() => undefined);
    try {
      return await unlessAborted(Promise.race([outcome, late]), this.signal);
    } finally {
      this.#promoted.ring();
    }
  }

  #promote(): Promise<ActiveTask> {
    // In one turn with the snapshot of the steps, so that no step is lost.
    this.#promotion ??= this.#create();
    this.#promoted.ring();
    return this.#promotion;
  }

  async #create(): Promise<ActiveTask> {
    const { host, settings, store } = this.#runtime;
    const { call, tool, ttl: wanted } = this.#given;
    const taskId = newTaskId();
    const steps = Object.fromEntries(this.#steps);
    const caller = await callerHash(host, call.ctx);
    const beginning = newRecord({
      taskId,
      created: settings.now(),
      ttl: Math.min(Math.max(wanted ?? tool.ttl, 1), settings.maxTtl),
      pollInterval: tool.pollInterval,
      ...(caller !== undefined && { caller }),
      ...(call.session !== undefined && { session: call.session }),
      inCore: inCore(call.revision),
      takeOver: tool.takeOver,
      call: call.saved(),
      answers: call.history?.answers ?? {},
      steps,
    });
    const message = this.#message?.slice(0, settings.limits.statusMessage);
    const record = message === undefined ? beginning : { ...beginning, statusMessage: message };
    const lease = await store.acquire(taskId);
    if (lease === undefined) throw new Error(`The lease of the new task ${taskId} is held already.`);
    try {
      await store.create(record, await listsOf(caller, call), lease);
    } catch (cause) {
      await lease.release().catch(() => {});
      throw cause instanceof RecordTooLargeError ? tooLarge('The arguments are', cause) : cause;
    }
    this.#task = new ActiveTask(this.#runtime, record, { lease, stop: this.#stop });
    return this.#task;
  }

  /** The answer to the call: the task as it was written first. */
  #created(record: TaskRecord): ExtendedResult {
    if (record.session !== undefined) this.#given.created(record.taskId);
    const task = taskOf(record);
    if (!inCore(this.#given.call.revision)) return { resultType: taskResultType, ...toExtensionTask(task) };
    const { immediate } = this.#given.tool;
    // In the core's own shape, which has no result type.
    return {
      task: toCoreTask(task),
      _meta: {
        ...relatedTask(task.taskId),
        ...(immediate !== undefined && { [immediateResponseKey]: immediate }),
      },
    };
  }
}
