import {
  ErrorCode,
  follow,
  type InputRequest,
  type InputRequiredResult,
  RpcError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { Asker, AskingHost } from './asker.js';
import { bindingOf, nameOf } from './binding.js';
import { digestOf } from './canonical-json.js';
import { type Asked, blank, type Memory, recall, stateAfter } from './memory.js';
import { Round } from './round.js';
import type { RoundsLimits } from './rounds-limits.js';
import type { Sealer } from './sealing.js';
import { quoted, type Suspension } from './suspension.js';

/** What all calls of a server that end with questions share. */
export interface RoundsOptions {
  readonly sealer: Sealer;
  readonly limits: RoundsLimits;
  /** Hears of what only the author can mend. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
}

/** The result of a call that ended with questions. */
export type Questions = InputRequiredResult & UnknownObject;

const varies = 'keys must be stable, and what varies from run to run belongs in once()';
const rethrow = 'its outcome is ignored, and a catch must rethrow what isSuspension() knows';

type Run<Result> = (host: AskingHost) => Result | Promise<Result>;

/**
 * Runs a handler whose questions travel in the result: gives what the handler gives, or its questions. A handler that
 * returns at once is answered at once.
 * @throws RpcError invalid params for state or answers that are not what this server asked for.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function runRounds<Result>(
  options: RoundsOptions,
  request: IncomingRequest,
  run: Run<Result>,
): Result | Promise<Result | Questions> {
  if (request.params.requestState === undefined) return new Rounds(options, request).run(run);
  return resume(options, request, run);
}

async function resume<Result>(
  options: RoundsOptions,
  request: IncomingRequest,
  run: Run<Result>,
): Promise<Result | Questions> {
  const binding = await bindingOf(request);
  const opened = await options.sealer.open(request.params.requestState, binding);
  if (request.cancelled) throw request.signal.reason;
  return new Rounds(options, request, { binding, memory: recall(opened, request) }).run(run);
}

/** One run of a handler. Made per request, so it creates nothing before it is asked for. */
class Rounds implements AskingHost {
  readonly #options: RoundsOptions;
  readonly #request: IncomingRequest;
  readonly #binding: string | undefined;
  #memory: Memory | undefined;
  #round: Round | undefined;
  #controller: AbortController | undefined;
  #suspension: Suspension | undefined;
  #answer: ((answer: Promise<Questions>) => void) | undefined;
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
      if (this.#suspension !== undefined) own.abort(this.#suspension);
      else if (outer.aborted) own.abort(outer.reason);
      else outer.addEventListener('abort', () => own.abort(outer.reason), { once: true });
      this.#controller = own;
    }
    return this.#controller.signal;
  }

  get over(): boolean {
    return this.#suspension !== undefined || this.#request.finished;
  }

  asker(): Asker {
    if (this.#round !== undefined) return this.#round;
    this.#memory ??= blank(this.#request);
    this.#round = new Round({
      request: this.#request,
      limits: this.#options.limits,
      memory: this.#memory,
      suspend: (suspension) => this.#suspend(suspension),
      differs: (key) =>
        this.#report(`asked under the key ${quoted([key])} what it had not asked before; ${varies}`),
    });
    return this.#round;
  }

  run<Result>(handler: Run<Result>): Result | Promise<Result | Questions> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.#round?.end();
      throw error;
    }
    if (returned instanceof Promise) return this.#outcome(returned);
    this.#round?.end();
    return returned;
  }

  #outcome<Result>(returned: Promise<Result>): Promise<Result | Questions> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      follow(
        returned,
        (value) => {
          if (this.#suspension === undefined) {
            this.#round?.end();
            resolve(value);
          } else this.#swallowed(this.#suspension);
        },
        (error) => {
          if (this.#suspension === undefined) {
            this.#round?.end();
            reject(error);
          } else this.#handlerDone?.();
        },
      );
    });
  }

  #swallowed(suspension: Suspension): void {
    this.#handlerDone?.();
    this.#report(`went on when suspended to ask ${quoted(suspension.keys)}; ${rethrow}`);
  }

  #report(what: string): void {
    this.#options.onError(
      new TypeError(`The handler of ${nameOf(this.#request)} ${what}.`),
      this.#request.method,
    );
  }

  #suspend(suspension: Suspension): void {
    this.#suspension = suspension;
    this.#controller?.abort(suspension);
    this.#answer?.(this.#questions());
  }

  async #questions(): Promise<Questions> {
    const { limits, sealer, onError } = this.#options;
    const { clock } = this.#request.host;
    let stop: (() => void) | undefined;
    const handlerDone = new Promise<void>((resolve) => {
      this.#handlerDone = resolve;
      stop = clock.schedule(resolve, limits.handlerWait);
    });
    const requests = await (this.#round as Round).questions();
    await handlerDone;
    stop?.();
    if (this.#request.cancelled) throw this.#request.signal.reason;
    try {
      const binding = this.#binding ?? (await bindingOf(this.#request));
      const state = stateAfter(this.#memory as Memory, await digested(requests));
      return asResult(requests, await sealer.seal(state, binding));
    } catch (error) {
      onError(error, this.#request.method);
      throw internalFailure(error);
    }
  }
}

function asResult(requests: ReadonlyMap<string, InputRequest>, requestState: string): Questions {
  return { resultType: 'input_required', inputRequests: Object.fromEntries(requests), requestState };
}

async function digested(requests: ReadonlyMap<string, InputRequest>): Promise<ReadonlyMap<string, Asked>> {
  const asked = [...requests].map(
    async ([key, request]): Promise<[string, Asked]> => [
      key,
      { method: request.method, digest: await digestOf(request) },
    ],
  );
  return new Map(await Promise.all(asked));
}

function internalFailure(cause: unknown): RpcError {
  return new RpcError(ErrorCode.internalError, 'Internal error', { cause });
}
