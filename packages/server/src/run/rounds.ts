import { follow, onAbort, withinTime } from '@tenon/foundation';
import {
  type CallHistory,
  ErrorCode,
  type InputRequest,
  type InputRequiredResult,
  RpcError,
  type SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { CarriedTexts, IncomingRequest } from '@tenon/mcp-session';
import type { Opened } from '../sealing/aes-sealer.js';
import { digestOf } from '../sealing/digest.js';
import { type InputType, obstacle } from './capabilities.js';
import { quoted, type Suspension } from './input-promise.js';
import { Inputs } from './inputs.js';
import type { StepJournal } from './once-steps.js';
import { handlerOf } from './problems.js';
import { Round } from './round.js';
import {
  bindingOf,
  type EarlierRounds,
  historyIn,
  noRounds,
  ownerOf,
  type RequestedInput,
  type RoundRecord,
  readRecord,
  recall,
  recordAfter,
} from './round-record.js';
import { Run, type RunOptions } from './run.js';

/** The result of a call that ended with input requests. */
export type InputRequired = InputRequiredResult & UnknownObject;

const rethrow = 'its result is ignored. In a catch block, rethrow the error if isSuspension(error) is true';

type Handler<Result> = (run: Run) => Result | Promise<Result>;

/** A request, and the values of steps that attempts of its call share. */
interface RoundsCall {
  readonly request: IncomingRequest;
  readonly steps?: StepJournal | undefined;
}

/**
 * Runs a handler with input requests in the result: returns the handler's result, or its input requests. A handler that
 * returns synchronously is answered synchronously.
 * @throws RpcError invalid params if the state or answers do not match the requests of this server.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function runRounds<Result>(
  options: RunOptions,
  call: RoundsCall,
  handler: Handler<Result>,
): Result | Promise<Result | InputRequired> {
  if (call.request.params.requestState !== undefined) return resume(options, call, handler);
  const run = new RoundRun(options, call);
  return run.outcome(run.run(handler));
}

/**
 * Returns the number of a request among those of its call, from 1.
 * @throws RpcError invalid params if the state is not of this server and call.
 */
export async function roundOf(options: RunOptions, request: IncomingRequest): Promise<number> {
  return ((await recordOf(options, request))?.rounds ?? 0) + 1;
}

/**
 * Returns the texts that earlier rounds of a call carry.
 * @throws RpcError invalid params if the state is not of this server and call.
 */
export async function carriedBy(options: RunOptions, request: IncomingRequest): Promise<CarriedTexts> {
  return { ...(await recordOf(options, request))?.carried };
}

async function recordOf({ sealer }: RunOptions, request: IncomingRequest): Promise<RoundRecord | undefined> {
  const { requestState } = request.params;
  if (requestState === undefined || request.revision.rules.inputRequestMode !== 'in-result') return undefined;
  const { state } = await sealer.open(requestState, await bindingOf(request));
  return readRecord(state);
}

async function resume<Result>(
  options: RunOptions,
  call: RoundsCall,
  handler: Handler<Result>,
): Promise<Result | InputRequired> {
  const { request } = call;
  const binding = await bindingOf(request);
  const opened = await options.sealer.open(request.params.requestState, binding);
  const record = readRecord(opened.state);
  request.round = record.rounds + 1;
  request.carried ??= record.carried;
  const earlier = recall(record, request);
  await useOnce(options, request, { ...opened, record });
  if (request.cancelled) throw request.signal.reason;
  const run = new RoundRun(options, call, { binding, earlier });
  return run.outcome(run.run(handler));
}

/**
 * Notes that a sealed record was used, if each may be used once.
 * @throws RpcError invalid params if it was used before; overloaded if the store cannot tell.
 */
async function useOnce(
  { replays, onError }: RunOptions,
  { method }: IncomingRequest,
  { id, ttl, record }: Opened & { readonly record: RoundRecord },
): Promise<void> {
  if (replays === undefined) return;
  let isFirst: boolean;
  try {
    isFirst = await replays.remember(record.owner ?? '', id, ttl);
  } catch (cause) {
    onError(cause, method);
    throw unknownUse(cause);
  }
  if (isFirst) return;
  const message = 'params.requestState: was used before, and can be used once: make the request anew.';
  throw new RpcError(ErrorCode.invalidParams, message);
}

/** A run with a record that is sealed and travels through the client, so that any process with the keys goes on with it. */
class RoundRun extends Run<IncomingRequest> {
  readonly #steps: StepJournal | undefined;
  readonly #binding: string | undefined;
  #earlier: EarlierRounds | undefined;
  #round: Round | undefined;
  #controller: AbortController | undefined;
  #suspension: Suspension | undefined;
  /** The error of the call, even if its handler catches it. */
  #failure: unknown;
  #answer: ((answer: Promise<InputRequired>) => void) | undefined;
  #handled: Promise<unknown> | undefined;
  #handlerDone: (() => void) | undefined;

  constructor(
    options: RunOptions,
    { request, steps }: RoundsCall,
    resumed?: { readonly binding: string; readonly earlier: EarlierRounds },
  ) {
    super(options, request);
    this.#steps = steps;
    this.#binding = resumed?.binding;
    this.#earlier = resumed?.earlier;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const own = new AbortController();
      const { signal: outer } = this.call;
      const ended = this.#suspension ?? this.#failure;
      if (ended !== undefined) own.abort(ended);
      else onAbort(outer, () => own.abort(outer.reason));
      this.#controller = own;
    }
    return this.#controller.signal;
  }

  get over(): boolean {
    return this.#suspension !== undefined || this.#failure !== undefined || this.call.finished;
  }

  get history(): CallHistory | undefined {
    // Answers without a sealed record are not those of an earlier round.
    return this.#binding === undefined || this.#earlier === undefined ? undefined : historyIn(this.#earlier);
  }

  obstacle(what: InputType): SessionError | undefined {
    return obstacle(this.call, what);
  }

  protected open(): Inputs {
    this.#earlier ??= noRounds(this.call);
    this.#round = new Round({
      request: this.call,
      limits: this.options.limits,
      earlier: this.#earlier,
      steps: this.#steps,
      suspend: (suspension) => this.#suspend(suspension),
      fail: (error) => this.#fail(error),
    });
    return new Inputs(this.call, this.#round);
  }

  /** Returns the outcome of the handler, or the input requests that it ends with. */
  outcome<Result>(returned: Result | Promise<Result>): Result | Promise<Result | InputRequired> {
    if (!(returned instanceof Promise)) return returned;
    this.#handled = returned;
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      follow(
        returned,
        (value) => {
          if (this.#handlerDone === undefined) resolve(value);
          else this.#swallowed();
        },
        (error) => {
          if (this.#handlerDone === undefined) reject(error);
          else this.#handlerDone();
        },
      );
    });
  }

  #swallowed(): void {
    this.#handlerDone?.();
    if (this.#suspension === undefined) return;
    this.report(`went on when suspended to ask ${quoted(this.#suspension.keys)}: ${rethrow}`);
  }

  #suspend(suspension: Suspension): void {
    this.end(false);
    this.#suspension = suspension;
    this.#controller?.abort(suspension);
    this.#answer?.(this.#inputRequired());
  }

  #fail(error: unknown): void {
    this.end(false);
    this.#failure = error;
    this.#controller?.abort(error);
    const failed = async () => {
      await this.#untilHandlerDone();
      throw error;
    };
    this.#answer?.(failed());
  }

  /** Resolves when the handler has finished, or its time for that is over. */
  async #untilHandlerDone(): Promise<void> {
    const handlerDone = new Promise<void>((resolve) => {
      this.#handlerDone = resolve;
    });
    const limit = { clock: this.call.host.clock, ms: this.options.limits.handlerWait };
    await withinTime(handlerDone, limit, () => {
      this.call.rest = this.#handled;
    });
  }

  async #inputRequired(): Promise<InputRequired> {
    const { sealer, onError, replays } = this.options;
    const request = this.call;
    const handlerDone = this.#untilHandlerDone();
    const requests = await (this.#round as Round).inputRequests();
    await handlerDone;
    if (request.cancelled) throw request.signal.reason;
    try {
      const binding = this.#binding ?? (await bindingOf(request));
      const record = recordAfter(this.#earlier as EarlierRounds, await digested(requests));
      const { carried } = request;
      const owned = {
        ...record,
        ...(carried !== undefined && { carried }),
        ...(replays !== undefined && { owner: ownerOf(request) }),
      };
      const requestState = await sealer.seal(owned, binding);
      return { resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState };
    } catch (error) {
      // The keys cannot be read: reported already.
      if (error instanceof RpcError) throw error;
      onError(withHandler(error, request), request.method);
      throw internalFailure(error);
    }
  }
}

function digested(
  requests: ReadonlyMap<string, InputRequest>,
): Promise<readonly (readonly [string, RequestedInput])[]> {
  return Promise.all(
    [...requests].map(
      async ([key, request]) => [key, { method: request.method, digest: await digestOf(request) }] as const,
    ),
  );
}

/** Returns the error with the name of its handler, if it is about the size of the record. */
function withHandler(error: unknown, request: IncomingRequest): unknown {
  if (!(error instanceof RangeError)) return error;
  const advice = 'keep less in once()';
  return new RangeError(`${handlerOf(request)}: ${error.message.slice(0, -1)}; ${advice}.`, { cause: error });
}

function internalFailure(cause: unknown): RpcError {
  return new RpcError(ErrorCode.internalError, 'Internal error', { cause });
}

function unknownUse(cause: unknown): RpcError {
  const message = 'params.requestState: whether it was used before is unknown; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}
