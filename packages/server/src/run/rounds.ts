import {
  type CallHistory,
  ErrorCode,
  type InputRequest,
  type InputRequiredResult,
  RpcError,
  type SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { ReplayStore } from '@tenon/mcp-state/internal';
import { type InputType, obstacle } from './capabilities.js';
import { handlerOf, reportOf } from './handler-name.js';
import type { InputHost, InputRequester, InterceptInput } from './input-requester.js';
import { bindingOf, ownerOf } from '../sealing/binding.js';
import { digestOf } from '../sealing/canonical-json.js';
import type { Opened, Sealer } from '../sealing/sealer.js';
import {
  blank,
  historyIn,
  type Memory,
  ownerIn,
  type RequestedInput,
  recall,
  roundsIn,
  stateAfter,
} from './memory.js';
import { Round } from './round.js';
import type { RoundsLimits } from './rounds-limits.js';
import { quoted, type Suspension } from './suspension.js';

/** The data shared by all calls of a server that end with input requests. */
export interface RoundsOptions {
  readonly sealer: Sealer;
  readonly limits: RoundsLimits;
  /** Remembers the sealed states that were used; undefined if each may be used again. */
  readonly replays?: ReplayStore | undefined;
  /** Receives problems that only the author can fix. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** Passes input requests that are sent while the handler waits to extensions; undefined if none intercepts them. */
  readonly intercept?: InterceptInput | undefined;
}

/** The result of a call that ended with input requests. */
export type InputRequired = InputRequiredResult & UnknownObject;

const rethrow = 'its outcome is ignored, and a catch must rethrow what isSuspension() knows';

type Run<Result> = (host: InputHost) => Result | Promise<Result>;

/**
 * Runs a handler with input requests in the result: returns the handler's result, or its input requests. A handler that
 * returns synchronously is answered synchronously.
 * @throws RpcError invalid params if the state or answers do not match the requests of this server.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function runRounds<Result>(
  options: RoundsOptions,
  request: IncomingRequest,
  run: Run<Result>,
): Result | Promise<Result | InputRequired> {
  if (request.params.requestState === undefined) return new Rounds(options, request).run(run);
  return resume(options, request, run);
}

/**
 * Returns the number of a request among those of its call, from 1.
 * @throws RpcError invalid params if the state is not of this server and call.
 */
export async function roundOf({ sealer }: RoundsOptions, request: IncomingRequest): Promise<number> {
  const { requestState } = request.params;
  if (requestState === undefined || request.revision.rules.inputRequestMode !== 'in-result') return 1;
  const { state } = await sealer.open(requestState, await bindingOf(request));
  return roundsIn(state) + 1;
}

async function resume<Result>(
  options: RoundsOptions,
  request: IncomingRequest,
  run: Run<Result>,
): Promise<Result | InputRequired> {
  const binding = await bindingOf(request);
  const opened = await options.sealer.open(request.params.requestState, binding);
  const memory = recall(opened.state, request);
  if (options.replays !== undefined) await useOnce(options.replays, opened, { request, options });
  if (request.cancelled) throw request.signal.reason;
  return new Rounds(options, request, { binding, memory }).run(run);
}

/**
 * Notes that a sealed state was used.
 * @throws RpcError invalid params if it was used before; overloaded if the store cannot tell.
 */
async function useOnce(
  replays: ReplayStore,
  { id, ttl, state }: Opened,
  { request, options }: { readonly request: IncomingRequest; readonly options: RoundsOptions },
): Promise<void> {
  let isFirst: boolean;
  try {
    isFirst = await replays.remember(ownerIn(state), id, ttl);
  } catch (error) {
    options.onError(error, request.method);
    throw unknownUse(error);
  }
  if (isFirst) return;
  const message = 'params.requestState: was used before, and can be used once: make the request anew.';
  throw new RpcError(ErrorCode.invalidParams, message);
}

/** One run of a handler. Made per request, so it creates nothing before its first use. */
class Rounds implements InputHost {
  readonly #options: RoundsOptions;
  readonly #request: IncomingRequest;
  readonly #binding: string | undefined;
  #memory: Memory | undefined;
  #round: Round | undefined;
  #controller: AbortController | undefined;
  #suspension: Suspension | undefined;
  /** The error of the call, even if its handler catches it. */
  #failure: unknown;
  #answer: ((answer: Promise<InputRequired>) => void) | undefined;
  #returned: Promise<unknown> | undefined;
  #handlerDone: (() => void) | undefined;

  constructor(
    options: RoundsOptions,
    request: IncomingRequest,
    resumed?: { binding: string; memory: Memory },
  ) {
    this.#options = options;
    this.#request = request;
    this.#binding = resumed?.binding;
    this.#memory = resumed?.memory;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const own = new AbortController();
      const outer = this.#request.signal;
      const ended = this.#suspension ?? this.#failure;
      if (ended !== undefined) own.abort(ended);
      else if (outer.aborted) own.abort(outer.reason);
      else outer.addEventListener('abort', () => own.abort(outer.reason), { once: true });
      this.#controller = own;
    }
    return this.#controller.signal;
  }

  get over(): boolean {
    return this.#suspension !== undefined || this.#failure !== undefined || this.#request.finished;
  }

  get history(): CallHistory | undefined {
    // Answers without a sealed state are not those of an earlier round.
    return this.#binding === undefined || this.#memory === undefined ? undefined : historyIn(this.#memory);
  }

  obstacle(what: InputType): SessionError | undefined {
    return obstacle(this.#request, what);
  }

  inputRequester(): InputRequester {
    if (this.#round !== undefined) return this.#round;
    this.#memory ??= blank(this.#request);
    this.#round = new Round({
      request: this.#request,
      limits: this.#options.limits,
      memory: this.#memory,
      suspend: (suspension) => this.#suspend(suspension),
      fail: (error) => this.#fail(error),
      report: reportOf(this.#request, this.#options.onError),
    });
    return this.#round;
  }

  run<Result>(handler: Run<Result>): Result | Promise<Result | InputRequired> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.#round?.end(false);
      throw error;
    }
    if (returned instanceof Promise) return this.#outcome(returned);
    this.#round?.end(true);
    return returned;
  }

  #outcome<Result>(returned: Promise<Result>): Promise<Result | InputRequired> {
    this.#returned = returned;
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      follow(
        returned,
        (value) => {
          if (this.#handlerDone === undefined) {
            this.#round?.end(true);
            resolve(value);
          } else this.#swallowed(this.#suspension);
        },
        (error) => {
          if (this.#handlerDone === undefined) {
            this.#round?.end(false);
            reject(error);
          } else this.#handlerDone();
        },
      );
    });
  }

  #swallowed(suspension: Suspension | undefined): void {
    this.#handlerDone?.();
    if (suspension === undefined) return;
    const report = reportOf(this.#request, this.#options.onError);
    report(`went on when suspended to ask ${quoted(suspension.keys)}; ${rethrow}`);
  }

  #suspend(suspension: Suspension): void {
    this.#suspension = suspension;
    this.#controller?.abort(suspension);
    this.#answer?.(this.#inputRequired());
  }

  #fail(error: unknown): void {
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
    let stop: (() => void) | undefined;
    const handlerDone = new Promise<void>((resolve) => {
      this.#handlerDone = resolve;
      stop = this.#request.host.clock.schedule(() => {
        this.#request.rest = this.#returned;
        resolve();
      }, this.#options.limits.handlerWait);
    });
    await handlerDone;
    stop?.();
  }

  async #inputRequired(): Promise<InputRequired> {
    const { sealer, onError, replays } = this.#options;
    const handlerDone = this.#untilHandlerDone();
    const requests = await (this.#round as Round).inputRequests();
    await handlerDone;
    if (this.#request.cancelled) throw this.#request.signal.reason;
    try {
      const binding = this.#binding ?? (await bindingOf(this.#request));
      const state = stateAfter(this.#memory as Memory, await digested(requests));
      const owned = replays === undefined ? state : { ...state, owner: ownerOf(this.#request) };
      return asResult(requests, await sealer.seal(owned, binding));
    } catch (error) {
      // The keys cannot be read: reported already.
      if (error instanceof RpcError) throw error;
      onError(withHandler(error, this.#request), this.#request.method);
      throw internalFailure(error);
    }
  }
}

function asResult(requests: ReadonlyMap<string, InputRequest>, requestState: string): InputRequired {
  return { resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState };
}

async function digested(
  requests: ReadonlyMap<string, InputRequest>,
): Promise<ReadonlyMap<string, RequestedInput>> {
  const requested = [...requests].map(
    async ([key, request]): Promise<[string, RequestedInput]> => [
      key,
      { method: request.method, digest: await digestOf(request) },
    ],
  );
  return new Map(await Promise.all(requested));
}

/** Returns the error with the name of its handler, if it is about the size of the state. */
function withHandler(error: unknown, request: IncomingRequest): unknown {
  if (!(error instanceof RangeError)) return error;
  const advice = 'keep less in once(), or allow it more with the option "limits.stateSize"';
  return new RangeError(`${handlerOf(request)}: ${error.message.slice(0, -1)}; ${advice}.`, { cause: error });
}

function unknownUse(cause: unknown): RpcError {
  const message = 'params.requestState: whether it was used before cannot be told now; try again later.';
  return new RpcError(ErrorCode.overloaded, message, { cause });
}

function internalFailure(cause: unknown): RpcError {
  return new RpcError(ErrorCode.internalError, 'Internal error', { cause });
}
