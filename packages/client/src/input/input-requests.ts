import {
  ErrorCode,
  type Implementation,
  type Revision,
  RpcError,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { describeProblem, isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest, Middleware, RequestHandler } from '@tenon/mcp-session';
import { runThrough } from '@tenon/mcp-session/internal';
import type { InputRequestLimiter } from './input-request-rates.js';

/** One input request, live or inside a result. */
export interface PendingInputRequest {
  /** The key in the result that the request came in. */
  readonly key?: string;
  readonly method: string;
  readonly params: UnknownObject;
  readonly revision: Revision;
  readonly signal: AbortSignal;
  /** The values that the caller gave the call with this result. */
  readonly state?: object | undefined;
}

/** The context of a handler of input requests. */
export interface InputRequestContext {
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** The server info. Show it to the user; it is not verified. */
  readonly server: Implementation | undefined;
  /**
   * The values that middleware of the request shares: for a request in the result of a call, the option `state` of that call. A request that a
   * server sends in a session names no call.
   */
  readonly state?: object | undefined;
}

/** Answers one method of input requests. */
export interface InputRequestHandler {
  /** Returns the parts of the params that need undeclared capabilities; undefined if there are none. */
  undeclared?(params: UnknownObject): string | undefined;
  /** Returns the problem of the params beyond their shape, with its path; undefined if there is none. */
  problem?(params: UnknownObject): string | undefined;
  answer(params: UnknownObject, context: InputRequestContext): UnknownObject | Promise<UnknownObject>;
}

/** Passes a live input request to the extensions that may answer it, and at last to its handler. */
export type InputInterception = (
  request: Pick<PendingInputRequest, 'method' | 'params' | 'signal'>,
  handle: (signal: AbortSignal) => Promise<UnknownObject>,
) => Promise<UnknownObject>;

/** The dependencies of input requests, besides their handlers. */
export interface InputRequestParts {
  readonly middleware: readonly Middleware[];
  readonly limiter: InputRequestLimiter;
  /** Undefined if no extension answers input requests. */
  readonly interception: InputInterception | undefined;
}

const notAnObject = { path: '', message: 'expected an object' };

/** Answers input requests, live ones and those inside a result. */
export class InputRequests {
  readonly #handlers: ReadonlyMap<string, InputRequestHandler>;
  readonly #parts: InputRequestParts;
  /** The server info; set once it is known. */
  server: Implementation | undefined;

  constructor(handlers: ReadonlyMap<string, InputRequestHandler>, parts: InputRequestParts) {
    this.#handlers = handlers;
    this.#parts = parts;
  }

  /** Returns the handlers of the declared requests and of ping. */
  requestHandlers(): Map<string, RequestHandler> {
    const requests = new Map<string, RequestHandler>([['ping', { handle: () => ({}) }]]);
    for (const [method, handler] of this.#handlers) {
      requests.set(method, { handle: (request) => this.#answerRequest(handler, request) });
    }
    return requests;
  }

  /**
   * Checks that this client answers an input request inside a result.
   * @throws SessionError `invalid-answer` for undeclared capabilities, and for invalid params.
   */
  requireAnswerable({ method, params }: Pick<PendingInputRequest, 'method' | 'params'>): InputRequestHandler {
    const handler = this.#handlers.get(method);
    const undeclared = handler === undefined ? method : handler.undeclared?.(params);
    const problem = handler?.problem?.(params);
    if (handler !== undefined && undeclared === undefined && problem === undefined) return handler;
    throw new SessionError(
      'invalid-answer',
      undeclared === undefined
        ? `The server asked for what cannot be answered: ${problem}`
        : `The server asked for ${undeclared}, which this client did not declare.`,
    );
  }

  /**
   * Checks all input requests of one result, before any of them is answered.
   * @throws SessionError as {@link requireAnswerable} does, and `limit` if the server exceeds the rate.
   */
  admit(all: readonly PendingInputRequest[]): void {
    for (const pending of all) this.requireAnswerable(pending);
    for (const { method } of all) {
      const refusal = this.#parts.limiter.refusal(method);
      if (refusal !== undefined) throw new SessionError('limit', refusal.message, { cause: refusal });
    }
  }

  /** Answers an input request of a result; middleware sees it as an inbound call. Rejects with the error of the handler. */
  answerInResult(pending: PendingInputRequest): Promise<UnknownObject> {
    const call = { direction: 'inbound', ...pending, request: undefined } as const;
    return runThrough(this.#parts.middleware, call, (params) => {
      const changed = { ...pending, params };
      return this.#answer(this.requireAnswerable(changed), changed, pending);
    });
  }

  #answerRequest(handler: InputRequestHandler, request: IncomingRequest): Promise<UnknownObject> {
    const undeclared = handler.undeclared?.(request.params);
    if (undeclared !== undefined) {
      throw new RpcError(ErrorCode.invalidParams, `This client did not declare ${undeclared}.`);
    }
    const problem = handler.problem?.(request.params);
    if (problem !== undefined) throw new RpcError(ErrorCode.invalidParams, problem);
    const { limiter, interception } = this.#parts;
    const refusal = limiter.refusal(request.method);
    if (refusal !== undefined) throw refusal;
    return interception === undefined
      ? this.#answer(handler, request, request)
      : this.#intercepted(interception, handler, request);
  }

  async #intercepted(
    intercept: InputInterception,
    handler: InputRequestHandler,
    request: IncomingRequest,
  ): Promise<UnknownObject> {
    const answer = await intercept(request, (signal) =>
      this.#answer(handler, request, { signal, state: request.state }),
    );
    return requireValid(answer, request);
  }

  async #answer(
    handler: InputRequestHandler,
    { method, params, revision }: Omit<PendingInputRequest, 'signal'>,
    source: Pick<PendingInputRequest, 'signal' | 'state'>,
  ): Promise<UnknownObject> {
    const context: InputRequestContext = {
      // Read only if the handler does: the signal is created then.
      get signal() {
        return source.signal;
      },
      server: this.server,
      get state() {
        return source.state;
      },
    };
    return requireValid(await handler.answer(params, context), { method, revision });
  }
}

function requireValid(
  answer: UnknownObject,
  { method, revision }: Pick<PendingInputRequest, 'method' | 'revision'>,
): UnknownObject {
  const row = revision.inputRequests.get(method);
  const problem = isObject(answer) ? row?.result(row.encodeResult?.(answer) ?? answer) : notAnObject;
  if (problem === undefined) return answer;
  throw new TypeError(
    `The handler of ${method} returned no valid result: ${describeProblem(problem, 'result')}`,
  );
}
