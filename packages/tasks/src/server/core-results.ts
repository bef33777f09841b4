import { detach } from '@tenon/foundation';
import {
  type ClientAnswer,
  ErrorCode,
  encodeToolResult,
  type InputRequest,
  type InputResponse,
  RemoteError,
  RpcError,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { MethodHandlerContext } from '@tenon/mcp-server';
import { renewAfter } from '@tenon/mcp-state/extension';
import { relatedTask } from '../model/core-wire.js';
import { taskResult } from '../model/methods.js';
import { isTerminal } from '../model/task.js';
import { StreamTurn } from './stream-turn.js';
import { takeOver } from './take-over.js';
import { requestedTask, revisionOf } from './task-access.js';
import { type TaskRecord, withAnswers } from './task-record.js';
import type { TaskRuntime } from './task-runtime.js';

/**
 * Answers `tasks/result`: waits until the task has ended, and requests its open input from the client meanwhile.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#retrieving-task-results
 */
export async function coreResult(
  runtime: TaskRuntime,
  params: UnknownObject,
  ctx: MethodHandlerContext,
): Promise<UnknownObject> {
  const asked = { caller: ctx, method: taskResult.name };
  let record = await requestedTask(runtime, params, asked);
  const input = new StreamInput(runtime, ctx, record);
  const watch = runtime.changes.watch(record.taskId);
  try {
    // Read again: a change before the watch is not noticed.
    for (;;) {
      record = await requestedTask(runtime, params, asked);
      if (isTerminal(record.status)) return ended(record, ctx);
      takeOver(runtime, record);
      await input.request(record.open);
      await watch.changed.wait(renewAfter, { signal: ctx.signal });
      if (ctx.signal.aborted) throw ctx.signal.reason;
    }
  } finally {
    watch.end();
    // Another stream may wait for its turn.
    if (await input.end()) runtime.changes.announce(record.taskId);
  }
}

/** @throws RpcError if the call ended with an error, or was cancelled. */
function ended({ taskId, result, error }: TaskRecord, ctx: MethodHandlerContext): UnknownObject {
  if (error !== undefined) throw new RpcError(error.code, error.message, { data: error.data });
  if (result === undefined)
    throw new RpcError(ErrorCode.invalidRequest, 'The task was cancelled: it has no result.');
  const written = encodeToolResult(revisionOf(ctx), result);
  return { ...written, _meta: { ...(written._meta as object | undefined), ...relatedTask(taskId) } };
}

/**
 * Sends the input requests of a task on the stream of one request. Of several streams for a task the newest sends them: the client may
 * have left the others.
 */
class StreamInput {
  readonly #runtime: TaskRuntime;
  readonly #ctx: MethodHandlerContext;
  readonly #task: TaskRecord;
  readonly #sent = new Set<string>();
  readonly #turn: StreamTurn;
  /** True if the limit of input requests of this request is reached: another stream sends the rest. */
  #isSpent = false;

  constructor(runtime: TaskRuntime, ctx: MethodHandlerContext, task: TaskRecord) {
    this.#runtime = runtime;
    this.#ctx = ctx;
    this.#task = task;
    this.#turn = new StreamTurn(runtime.state.kv, task.taskId);
  }

  /** Sends the requests that were not sent before on this stream. */
  async request(open: TaskRecord['open']): Promise<void> {
    if (this.#isSpent) await this.#turn.end();
    else if (await this.#turn.take()) this.#sendAll(Object.entries(open));
  }

  /** Leaves the requests without an answer to another stream. @returns true if this stream was the one that sends them. */
  end(): Promise<boolean> {
    return this.#turn.end();
  }

  #sendAll(all: readonly [string, InputRequest][]): void {
    for (const [key, request] of all) {
      if (this.#sent.has(key)) continue;
      this.#sent.add(key);
      const failed = (error: unknown) => this.#runtime.report(error, `task ${this.#task.taskId}`);
      detach(this.#send(key, request), failed);
    }
  }

  async #send<Request extends InputRequest>(key: string, request: Request): Promise<void> {
    const _meta = { ...request.params?._meta, ...relatedTask(this.#task.taskId) };
    const related: Request = { ...request, params: { ...request.params, _meta } };
    const answer = await this.#answer(key, related);
    if (answer === undefined) return;
    await this.#runtime.store.change(this.#task, withAnswers({ [key]: answer }));
  }

  /** Undefined if the client did not answer: another stream may send the request again. */
  async #answer(key: string, request: InputRequest): Promise<ClientAnswer | undefined> {
    try {
      const result: InputResponse = await this.#ctx.requestInput(key, request);
      return { result };
    } catch (error) {
      if (error instanceof RemoteError) return { error: { code: error.code, message: error.peerMessage } };
      if (!(error instanceof SessionError)) throw error;
      this.#isSpent ||= error.reason === 'limit';
      if (error.reason !== 'invalid-answer') return undefined;
      return { error: { code: ErrorCode.internalError, message: error.message } };
    }
  }
}
