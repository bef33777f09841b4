import {
  ErrorCode,
  type InputRequiredResult,
  isInputRequired,
  type LogLevel,
  type ParamsOf,
  type RequestMethod,
  type ResultOf,
  RpcError,
  SessionError,
  TransportError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';
import { type CallOptions, withMeta } from './call-options.js';
import { type Elicitation, urlElicitationRequired } from './features/elicitation.js';
import { answerRounds, type Rounds } from './features/input.js';
import type { Lifeline } from './lifeline.js';
import { mirrorsParams, requireCapability, type Session } from './session.js';
import type { ToolHeaders } from './tool-headers.js';

/** A result that is no question. */
export type FinalResultOf<M extends RequestMethod> = Exclude<ResultOf<M>, InputRequiredResult>;

/** What may be asked a second time when the connection is lost before the answer: it changes nothing. */
const repeatable: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
]);

const noOptions: RequestOptions = Object.freeze({});
const withProgress: RequestOptions = Object.freeze({ progress: true });

/** Methods that may take long: progress is asked for even when nobody listens, for it grants the call more time. */
const lasting: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** What calls need besides a session. */
export interface CallerParts {
  readonly rounds: Rounds;
  readonly elicitation: Elicitation | undefined;
  readonly toolHeaders: ToolHeaders;
}

/** Sends the calls of a client over whichever session it has at the time. */
export class Caller {
  readonly lifeline: Lifeline;
  readonly #rounds: Rounds;
  readonly #elicitation: Elicitation | undefined;
  readonly #toolHeaders: ToolHeaders;
  /** Least severe log level wanted, if any. */
  logLevel: LogLevel | undefined;

  constructor(lifeline: Lifeline, { rounds, elicitation, toolHeaders }: CallerParts) {
    this.lifeline = lifeline;
    this.#rounds = rounds;
    this.#elicitation = elicitation;
    this.#toolHeaders = toolHeaders;
  }

  /**
   * Sends one request and, where the server asks for input first, answers and sends it again.
   * What the server certainly did not handle is sent again once, and so is what only reads when the answer was lost; see
   * {@link mayRepeat}.
   */
  async call<M extends RequestMethod>(
    method: M,
    given: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<FinalResultOf<M>> {
    const params = withMeta(given, options);
    let session = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
    let result: ResultOf<M>;
    try {
      // Not by way of #send: another promise for each call can be measured.
      requireCapability(session, method);
      result = await session.endpoint.request(
        method,
        params,
        this.#sendOptions(session, { method, params }, options),
      );
    } catch (error) {
      if (!this.mayRepeat(session, method, error)) throw this.#told(error, session);
      session = await this.lifeline.ready(options?.signal);
      result = await this.#send(session, { method, params }, options);
    }
    return isInputRequired(result)
      ? this.#finish(result, { method, params, session, options })
      : (result as FinalResultOf<M>);
  }

  async #send<M extends RequestMethod>(
    session: Session,
    { method, params }: { method: M; params: ParamsOf<M> },
    options: CallOptions | undefined,
  ): Promise<ResultOf<M>> {
    try {
      requireCapability(session, method);
      return await session.endpoint.request(
        method,
        params,
        this.#sendOptions(session, { method, params }, options),
      );
    } catch (error) {
      throw this.#told(error, session);
    }
  }

  /** Answers what a call asked, as often as it asks. */
  async #finish<M extends RequestMethod>(
    first: InputRequiredResult,
    call: { method: M; params: ParamsOf<M>; session: Session; options: CallOptions | undefined },
  ): Promise<FinalResultOf<M>> {
    const { method, session, options } = call;
    this.lifeline.ended.throwIfAborted();
    const again = async (params: ParamsOf<M>): Promise<object> => {
      const now = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
      if (now.revision === session.revision) return this.#send(now, { method, params }, options);
      throw new SessionError(
        'closed',
        'The connection was lost, and the server now speaks another revision.',
      );
    };
    const result = await answerRounds(this.#rounds, { ...call, again }, first);
    return result as FinalResultOf<M>;
  }

  #sendOptions(
    session: Session,
    { method, params }: { method: string; params: object },
    options: CallOptions | undefined,
  ): RequestOptions {
    const logLevel = options?.logLevel ?? this.logLevel;
    const perRequest = logLevel !== undefined && session.revision.rules.logging === 'request';
    const progress = lasting.has(method);
    const mirrored =
      method === 'tools/call' && mirrorsParams(session)
        ? this.#toolHeaders.of(params as UnknownObject)
        : undefined;
    if (options === undefined && !perRequest && mirrored === undefined) {
      return progress ? withProgress : noOptions;
    }
    const headers = mirrored && { headers: { ...options?.headers, ...mirrored } };
    return { progress, ...options, ...headers, ...(perRequest && { logLevel }) };
  }

  /** The error as its caller hears of it. */
  #told(error: unknown, session: Session): unknown {
    const required = urlElicitationRequired(error, session.revision);
    if (required === undefined) return error;
    this.#elicitation?.expect(required.elicitations);
    return required;
  }

  /**
   * True for a failure after which a request may be sent again: whatever the server certainly did not handle, and what
   * only reads when its answer was lost. A session that is known to be over is replaced by then.
   */
  mayRepeat(session: Session, method: string, error: unknown): boolean {
    const { endpoint, revision } = session;
    const { standalone } = revision.rules;
    let may: boolean;
    if (isUnhandled(error, standalone)) {
      this.lifeline.lose(endpoint, error);
      may = true;
    } else if (error instanceof TransportError) {
      may = standalone && repeatable.has(method) && isBroken(error);
    } else {
      const lost = error instanceof SessionError && error.reason === 'closed';
      // Over HTTP a session may end while the server goes on; a server that is gone has lost more than a session.
      may = lost && repeatable.has(method) && (standalone || endpoint.connection.carriesHeaders === true);
    }
    return may && this.lifeline.state !== 'closed';
  }

  /** Runs a task with the session, and once more with the next if this one turns out to be over. */
  async withSession<Result>(task: (session: Session) => Promise<Result>): Promise<Result> {
    const session = this.lifeline.session ?? (await this.lifeline.ready());
    try {
      return await task(session);
    } catch (error) {
      if (!isUnhandled(error, session.revision.rules.standalone)) throw error;
      this.lifeline.lose(session.endpoint, error);
      if (this.lifeline.state === 'closed') throw error;
      return task(await this.lifeline.ready());
    }
  }
}

/** The server does not know the session any more, or the revision: it did not even look at the request. */
function isUnhandled(error: unknown, standalone: boolean): error is Error {
  if (error instanceof RpcError) return standalone && error.code === ErrorCode.unsupportedProtocolVersion;
  return error instanceof TransportError && error.unhandled;
}

/** The exchange came to nothing, for no reason that another one must share. */
function isBroken({ status }: TransportError): boolean {
  return status === undefined || status < 300;
}
