import {
  type CacheHints,
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
import { type CacheableMethod, type Caching, isCacheable } from './caching.js';
import { type CallOptions, requireCallOptions, withMeta } from './call-options.js';
import { type Elicitation, urlElicitationRequired } from './features/elicitation.js';
import type { IconFilter } from './features/icons.js';
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

/** What one call sends, and how. */
export interface Sent<M extends RequestMethod> {
  readonly method: M;
  readonly params: ParamsOf<M>;
  readonly options: CallOptions | undefined;
}

/** One call, and what becomes of its answer. */
export interface Call<M extends RequestMethod, Result> extends Sent<M> {
  /**
   * Makes the result of the call; may throw.
   * @param atOnce - the server gave it on being asked once, without input.
   */
  judge(answer: FinalResultOf<M>, atOnce: boolean): Result | Promise<Result>;
  /** Resolves with true once it has put right what the call failed for, so that it is worth making once more. */
  mend?(error: unknown): Promise<boolean>;
}

function itself<T>(answer: T): T {
  return answer;
}

const noOptions: RequestOptions = Object.freeze({});
const withProgress: RequestOptions = Object.freeze({ progress: true });

/** Methods that may take long: progress is asked for even when nobody listens, for it grants the call more time. */
const lasting: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** What calls need besides a session. */
export interface CallerParts {
  readonly rounds: Rounds;
  readonly elicitation: Elicitation | undefined;
  readonly toolHeaders: ToolHeaders;
  /** Undefined where nothing is kept. */
  readonly caching: Caching | undefined;
  readonly icons: IconFilter;
}

/** Sends the calls of a client over whichever session it has at the time. */
export class Caller {
  readonly lifeline: Lifeline;
  readonly #rounds: Rounds;
  readonly #elicitation: Elicitation | undefined;
  readonly #toolHeaders: ToolHeaders;
  readonly #caching: Caching | undefined;
  readonly icons: IconFilter;
  /** Least severe log level wanted, if any. */
  logLevel: LogLevel | undefined;

  constructor(lifeline: Lifeline, parts: CallerParts) {
    this.lifeline = lifeline;
    this.#rounds = parts.rounds;
    this.#elicitation = parts.elicitation;
    this.#toolHeaders = parts.toolHeaders;
    this.#caching = parts.caching;
    this.icons = parts.icons;
  }

  /** Makes a call whose result is the answer itself; see {@link perform}. */
  call<M extends RequestMethod>(
    method: M,
    given: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<FinalResultOf<M>> {
    return this.perform({ method, params: withMeta(given, options), options, judge: itself });
  }

  /** Makes any call in the way its method is made. */
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions | undefined,
  ): Promise<FinalResultOf<M>> {
    return isCacheable(method)
      ? (this.read(method, params as never, options) as Promise<never>)
      : this.call(method, params, options);
  }

  /** Makes a call whose result may be reused: it is the one that is kept, if there is one and it is fresh. */
  async read<M extends CacheableMethod>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions | undefined,
  ): Promise<FinalResultOf<M>> {
    const caching = this.lifeline.session && this.#caching;
    const awaited = caching?.expect(method, params as UnknownObject, options);
    if (awaited !== undefined && options?.fresh !== true && options?.signal?.aborted !== true) {
      const kept = caching?.find(awaited, method);
      if (kept !== undefined) return kept as FinalResultOf<M>;
    }
    const judge = (answer: FinalResultOf<M>, atOnce: boolean) => {
      const clean = this.icons.clean(method, answer);
      // What depended on input is nobody's answer to the bare question.
      if (awaited !== undefined && atOnce) caching?.keep(awaited, clean as CacheHints);
      return clean;
    };
    try {
      return await this.perform({ method, params: withMeta(params, options), options, judge });
    } catch (error) {
      if (awaited !== undefined) caching?.failed(awaited, error);
      throw error;
    }
  }

  /**
   * Sends one request and, where the server asks for input first, answers and sends it again.
   * What the server certainly did not handle is sent again once, and so is what only reads when the answer was lost; see
   * {@link mayRepeat}.
   */
  async perform<M extends RequestMethod, Result>(call: Call<M, Result>): Promise<Result> {
    const { method, params, options } = call;
    if (options !== undefined) requireCallOptions(method, options);
    const session = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
    let result: ResultOf<M>;
    try {
      // Not by way of #send: another promise for each call can be measured.
      requireCapability(session, method);
      result = await session.endpoint.request(method, params, this.#sendOptions(session, call));
    } catch (error) {
      return this.#settled(call, this.#repeated(call, session, error));
    }
    if (isAsking(result, session)) return this.#settled(call, this.#finish(call, session, result));
    return call.judge(result as FinalResultOf<M>, true);
  }

  /** What becomes of a call that its first answer did not settle. */
  async #settled<M extends RequestMethod, Result>(
    call: Call<M, Result>,
    answer: Promise<FinalResultOf<M>>,
  ): Promise<Result> {
    let result: FinalResultOf<M>;
    try {
      result = await answer;
    } catch (error) {
      this.#caching?.doubt(call.method, error);
      if ((await call.mend?.(error)) !== true) throw error;
      result = await this.call(call.method, call.params, call.options);
    }
    return call.judge(result, false);
  }

  /** Sends a call again that failed, if it may be. */
  async #repeated<M extends RequestMethod>(
    call: Call<M, unknown>,
    failed: Session,
    error: unknown,
  ): Promise<FinalResultOf<M>> {
    if (!this.mayRepeat(failed, call.method, error)) throw this.#told(error, failed);
    const session = await this.lifeline.ready(call.options?.signal);
    const result = await this.#send(session, call);
    return isAsking(result, session) ? this.#finish(call, session, result) : (result as FinalResultOf<M>);
  }

  async #send<M extends RequestMethod>(session: Session, sent: Sent<M>): Promise<ResultOf<M>> {
    try {
      requireCapability(session, sent.method);
      return await session.endpoint.request(sent.method, sent.params, this.#sendOptions(session, sent));
    } catch (error) {
      throw this.#told(error, session);
    }
  }

  /** Answers what a call asked, as often as it asks. */
  async #finish<M extends RequestMethod>(
    { method, params: first, options }: Sent<M>,
    session: Session,
    asked: InputRequiredResult,
  ): Promise<FinalResultOf<M>> {
    this.lifeline.ended.throwIfAborted();
    const again = async (params: ParamsOf<M>): Promise<object> => {
      const now = this.lifeline.session ?? (await this.lifeline.ready(options?.signal));
      if (now.revision === session.revision) return this.#send(now, { method, params, options });
      throw new SessionError(
        'closed',
        'The connection was lost, and the server now speaks another revision.',
      );
    };
    const asking = { method, params: first, session, options, again };
    return (await answerRounds(this.#rounds, asking, asked)) as FinalResultOf<M>;
  }

  #sendOptions(session: Session, { method, params, options }: Sent<RequestMethod>): RequestOptions {
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

/** The result asks for input, in a revision in which results can. */
function isAsking(result: object, { revision }: Session): result is InputRequiredResult {
  return isInputRequired(result) && revision.rules.serverAsks === 'in-result';
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
