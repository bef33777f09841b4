import {
  ErrorCode,
  type Implementation,
  type Revision,
  RpcError,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { describeFlaw, isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest, Middleware, RequestHandler } from '@tenon/mcp-session';
import { runThrough } from '@tenon/mcp-session/internal';
import type { AskLimiter } from './ask-rates.js';

/** One thing the server asks, live or inside a result. */
export interface Ask {
  readonly method: string;
  readonly params: UnknownObject;
  readonly revision: Revision;
  readonly signal: AbortSignal;
}

/** What a handler of the application knows of an ask besides its params. */
export interface AskContext {
  /** Aborts when the answer is not wanted any more. */
  readonly signal: AbortSignal;
  /** Who asks, as the server calls itself. Show it to the user; it is not verified. */
  readonly server: Implementation | undefined;
}

/** Answers one method the server may ask. */
export interface AskHandler {
  /** What of the params this client did not declare; undefined when it declared all. */
  undeclared?(params: UnknownObject): string | undefined;
  /** What is wrong with the params beyond their shape, led by its path; undefined when nothing is. */
  flaw?(params: UnknownObject): string | undefined;
  answer(params: UnknownObject, context: AskContext): UnknownObject | Promise<UnknownObject>;
}

const notAnObject = { path: '', message: 'expected an object' };

/** Answers what the server asks, the same whether it comes as a request or inside a result. */
export class Asks {
  readonly #handlers: ReadonlyMap<string, AskHandler>;
  readonly #middleware: readonly Middleware[];
  readonly #limiter: AskLimiter;
  /** Who is asking; set once it is known. */
  server: Implementation | undefined;

  constructor(
    handlers: ReadonlyMap<string, AskHandler>,
    middleware: readonly Middleware[],
    limiter: AskLimiter,
  ) {
    this.#handlers = handlers;
    this.#middleware = middleware;
    this.#limiter = limiter;
  }

  /** The handlers of requests, for what was declared and for ping. */
  requestHandlers(): Map<string, RequestHandler> {
    const requests = new Map<string, RequestHandler>([['ping', { handle: () => ({}) }]]);
    for (const [method, handler] of this.#handlers) {
      requests.set(method, { handle: (request) => this.#answerRequest(handler, request) });
    }
    return requests;
  }

  /**
   * Makes sure that a question inside a result is one this client answers.
   * @throws SessionError `invalid-answer` for what it did not declare, and for what makes no sense.
   */
  requireAnswerable({ method, params }: Pick<Ask, 'method' | 'params'>): AskHandler {
    const handler = this.#handlers.get(method);
    const undeclared = handler === undefined ? method : handler.undeclared?.(params);
    const flaw = handler?.flaw?.(params);
    if (handler !== undefined && undeclared === undefined && flaw === undefined) return handler;
    throw new SessionError(
      'invalid-answer',
      undeclared === undefined
        ? `The server asked for what cannot be answered: ${flaw}`
        : `The server asked for ${undeclared}, which this client did not declare.`,
    );
  }

  /**
   * Makes sure that the questions of one result may be asked, before any of them is.
   * @throws SessionError as {@link requireAnswerable} does, and `limit` where the server asks too often.
   */
  admit(questions: readonly Ask[]): void {
    for (const question of questions) this.requireAnswerable(question);
    for (const { method } of questions) {
      const refusal = this.#limiter.refusal(method);
      if (refusal !== undefined) throw new SessionError('limit', refusal.message, { cause: refusal });
    }
  }

  /** Answers what a result asks; middleware sees it as an inbound call. Rejects with whatever the handler throws. */
  answerInResult(ask: Ask): Promise<UnknownObject> {
    const call = { direction: 'inbound', ...ask, request: undefined } as const;
    return runThrough(this.#middleware, call, (params) => {
      const changed = { ...ask, params };
      return this.#answer(this.requireAnswerable(changed), changed, ask);
    });
  }

  #answerRequest(handler: AskHandler, request: IncomingRequest): Promise<UnknownObject> {
    const undeclared = handler.undeclared?.(request.params);
    if (undeclared !== undefined) {
      throw new RpcError(ErrorCode.invalidParams, `This client did not declare ${undeclared}.`);
    }
    const flaw = handler.flaw?.(request.params);
    if (flaw !== undefined) throw new RpcError(ErrorCode.invalidParams, flaw);
    const refusal = this.#limiter.refusal(request.method);
    if (refusal !== undefined) throw refusal;
    return this.#answer(handler, request, request);
  }

  async #answer(
    handler: AskHandler,
    { method, params, revision }: Omit<Ask, 'signal'>,
    source: Pick<Ask, 'signal'>,
  ): Promise<UnknownObject> {
    const answer = await handler.answer(params, new Context(source, this.server));
    const row = revision.asks.get(method);
    const flaw = isObject(answer) ? row?.result(row.encodeResult?.(answer) ?? answer) : notAnObject;
    if (flaw !== undefined) {
      throw new TypeError(
        `The handler of ${method} returned no valid result: ${describeFlaw(flaw, 'result')}`,
      );
    }
    return answer;
  }
}

/** Reads the signal only when a handler does: it is made then. */
class Context implements AskContext {
  readonly #source: Pick<Ask, 'signal'>;
  readonly server: Implementation | undefined;

  constructor(source: Pick<Ask, 'signal'>, server: Implementation | undefined) {
    this.#source = source;
    this.server = server;
  }

  get signal(): AbortSignal {
    return this.#source.signal;
  }
}
