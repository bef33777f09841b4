import {
  type CacheHints,
  type InputRequiredResult,
  isInputRequired,
  type LogLevel,
  type ParamsOf,
  type RequestMethod,
  type ResultOf,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { Clock, RequestOptions } from '@tenon/mcp-session';
import { totalDeadlineOf } from '@tenon/mcp-session/internal';
import { type CacheableMethod, type Caching, isCacheable } from './caching.js';
import { type CallOptions, requireCallOptions, withMeta } from './call-options.js';
import { addCallSite } from './call-site.js';
import { type Elicitation, urlElicitationRequired } from './features/elicitation.js';
import type { IconFilter } from './features/icons.js';
import { answerRounds, type Rounds } from './features/input.js';
import type { Lifeline } from './lifeline.js';
import { isLostRead, isUnhandled } from './repeating.js';
import { mirrorsParams, requireCapability, type Session } from './session.js';
import type { ToolHeaders } from './tool-headers.js';
import { nameOfCall, type OpenResults, WholeCall } from './whole-call.js';

/** A result that is no question. */
export type FinalResultOf<M extends RequestMethod> = Exclude<ResultOf<M>, InputRequiredResult>;

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
  /**
   * Resolves with true once it has put right what the call failed for, so that it is worth making once more.
   * @param whole - the call and what bounds it, for what has to be sent first.
   */
  mend?(error: unknown, whole: WholeCall): Promise<boolean>;
}

/** A call that its first answer did not settle, and what bounds it. */
interface Going<M extends RequestMethod, Result> {
  readonly call: Call<M, Result>;
  readonly options: CallOptions | undefined;
  readonly whole: WholeCall;
}

/** What is known of when a call began. */
interface Beginning {
  readonly since?: number | undefined;
  readonly asked?: object;
}

function itself<T>(answer: T): T {
  return answer;
}

const noOptions: RequestOptions = Object.freeze({ timeoutOption: 'timeout' });
const withProgress: RequestOptions = Object.freeze({ timeoutOption: 'timeout', progress: true });

/** Methods that may take long: progress is asked for even when nobody listens, for it grants the call more time. */
const lasting: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** What calls need besides a session. */
export interface CallerParts {
  readonly clock: Clock;
  /** Milliseconds allowed for a call whose options name no `total`. */
  readonly total: number;
  /** What stops each call that is still going on, with the error it then rejects with. */
  readonly running: Set<AbortController>;
  readonly rounds: Rounds;
  readonly elicitation: Elicitation | undefined;
  readonly resultTypes: OpenResults;
  readonly toolHeaders: ToolHeaders;
  /** Undefined where nothing is kept. */
  readonly caching: Caching | undefined;
  readonly icons: IconFilter;
}

/** Sends the calls of a client over whichever session it has at the time. */
export class Caller {
  readonly lifeline: Lifeline;
  readonly #parts: CallerParts;
  readonly #rounds: Rounds;
  readonly #elicitation: Elicitation | undefined;
  readonly #toolHeaders: ToolHeaders;
  readonly #caching: Caching | undefined;
  readonly icons: IconFilter;
  /** Least severe log level wanted, if any. */
  logLevel: LogLevel | undefined;

  constructor(lifeline: Lifeline, parts: CallerParts) {
    this.lifeline = lifeline;
    this.#parts = parts;
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
  async perform<M extends RequestMethod, Result>(
    call: Call<M, Result>,
    options: CallOptions | undefined = call.options,
  ): Promise<Result> {
    const { method, params } = call;
    if (options !== undefined) requireCallOptions(method, options);
    const { session } = this.lifeline;
    if (session === undefined) return this.#whenReady(call, options);
    // The clock is read only for a call whose caller bounds its time: the others learn it from their first answer.
    const since = options?.total === undefined ? undefined : this.#parts.clock.now();
    let result: ResultOf<M>;
    try {
      // Not by way of #send: another promise for each call can be measured.
      requireCapability(session, method);
      result = await session.endpoint.request(method, params, this.#sendOptions(session, call, options));
    } catch (error) {
      addCallSite(error);
      const going = { call, options, whole: this.#whole(call, options, { since }) };
      return await this.#settled(going, this.#repeated(going, session, error));
    }
    if ((result as UnknownObject).resultType !== undefined) {
      const going = { call, options, whole: this.#whole(call, options, { since, asked: result }) };
      return await this.#settled(going, this.#finish(going, session, result));
    }
    return call.judge(result as FinalResultOf<M>, true);
  }

  /** The result of a call that was sent in a batch. */
  async batched<M extends RequestMethod>(
    sent: Sent<M>,
    session: Session,
    result: ResultOf<M>,
  ): Promise<FinalResultOf<M>> {
    const call = { ...sent, judge: (answer: FinalResultOf<M>) => this.icons.clean(sent.method, answer) };
    if ((result as UnknownObject).resultType === undefined) return call.judge(result as FinalResultOf<M>);
    const { options } = sent;
    const going = { call, options, whole: this.#whole(call, options, { asked: result }) };
    return this.#settled(going, this.#finish(going, session, result));
  }

  /** Makes a call once there is a session again; the wait is part of the time it may take. */
  async #whenReady<M extends RequestMethod, Result>(
    call: Call<M, Result>,
    options: CallOptions | undefined,
  ): Promise<Result> {
    if (options?.total === undefined) {
      await this.lifeline.ready(options?.signal);
      return this.perform(call, options);
    }
    const whole = this.#whole(call, options, {});
    const { signal } = whole.begin();
    try {
      await this.lifeline.ready(signal);
      return await this.perform(call, { ...options, signal });
    } catch (error) {
      throw whole.errorFor(error);
    } finally {
      whole.end();
    }
  }

  /** What bounds a call, from when it began: now, where that is not known. */
  #whole(call: Sent<RequestMethod>, options: CallOptions | undefined, began: Beginning): WholeCall {
    const { clock, total: usual, running } = this.#parts;
    const total = options?.total ?? usual;
    const { since = clock.now(), asked } = began;
    const deadline =
      began.since === undefined && asked !== undefined ? totalDeadlineOf(asked) : since + total;
    const signal = options?.signal;
    return new WholeCall({ clock, call, total, deadline: deadline ?? since + total, signal, running });
  }

  /** What becomes of a call that its first answer did not settle. */
  async #settled<M extends RequestMethod, Result>(
    { call, options, whole }: Going<M, Result>,
    answer: Promise<FinalResultOf<M>>,
  ): Promise<Result> {
    try {
      let result: FinalResultOf<M>;
      try {
        result = await answer;
      } catch (error) {
        this.#caching?.doubt(call.method, error);
        if ((await call.mend?.(error, whole)) !== true) throw error;
        result = await this.call(call.method, call.params, { ...options, signal: whole.begin().signal });
      }
      return await call.judge(result, false);
    } catch (error) {
      throw whole.errorFor(error);
    } finally {
      whole.end();
    }
  }

  /** Sends a call again that failed, if it may be. */
  async #repeated<M extends RequestMethod>(
    going: Going<M, unknown>,
    failed: Session,
    error: unknown,
  ): Promise<FinalResultOf<M>> {
    const { call, options, whole } = going;
    if (!this.mayRepeat(failed, call.method, error)) throw this.#told(error, failed);
    const { signal } = whole.begin();
    const session = await this.lifeline.ready(signal);
    const { method, params } = call;
    const result = await this.#send(session, { method, params, options: { ...options, signal } });
    return this.#finish(going, session, result);
  }

  async #send<M extends RequestMethod>(session: Session, sent: Sent<M>): Promise<ResultOf<M>> {
    const { method, params, options } = sent;
    try {
      requireCapability(session, method);
      return await session.endpoint.request(method, params, this.#sendOptions(session, sent, options));
    } catch (error) {
      addCallSite(error);
      throw this.#told(error, session);
    }
  }

  /** The final result of a call: provides the input it requests, and hands a result of an extension's type to the extension. */
  async #finish<M extends RequestMethod>(
    going: Going<M, unknown>,
    session: Session,
    first: object,
  ): Promise<FinalResultOf<M>> {
    const result = isAsking(first, session) ? await this.#answered(going, session, first) : first;
    if ((result as UnknownObject).resultType === undefined) return result as FinalResultOf<M>;
    const { call, options, whole } = going;
    const { method, params } = call;
    const open = { method, params, options, session: this.lifeline.session ?? session, whole };
    return this.#parts.resultTypes.final(result as UnknownObject, open) as Promise<object> as Promise<
      FinalResultOf<M>
    >;
  }

  /** Answers the input requests of a call, as often as it makes some. */
  async #answered<M extends RequestMethod>(
    { call, options, whole }: Going<M, unknown>,
    session: Session,
    asked: InputRequiredResult,
  ): Promise<object> {
    this.lifeline.ended.throwIfAborted();
    const stop = whole.begin();
    const { signal } = stop;
    const { method, params: first } = call;
    const again = async (params: ParamsOf<M>): Promise<object> => {
      const now = this.lifeline.session ?? (await this.lifeline.ready(signal));
      if (now.revision === session.revision) {
        return this.#send(now, { method, params, options: { ...options, signal } });
      }
      throw new SessionError(
        'closed',
        'The connection was lost, and the server now speaks another revision.',
      );
    };
    const { maxRounds } = options ?? {};
    const asking = { name: nameOfCall(call), method, params: first, session, maxRounds, stop, again };
    return answerRounds(this.#rounds, asking, asked);
  }

  #sendOptions(
    session: Session,
    { method, params }: Sent<RequestMethod>,
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
    return { timeoutOption: 'timeout', progress, ...options, ...headers, ...(perRequest && { logLevel }) };
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
    const unhandled = isUnhandled(error, session);
    if (unhandled) this.lifeline.lose(session.endpoint, error);
    return (unhandled || isLostRead(session, method, error)) && this.lifeline.state !== 'closed';
  }

  /** Runs a task with the session, and once more with the next if this one turns out to be over. */
  async withSession<Result>(task: (session: Session) => Promise<Result>): Promise<Result> {
    const session = this.lifeline.session ?? (await this.lifeline.ready());
    try {
      return await task(session);
    } catch (error) {
      addCallSite(error);
      if (!isUnhandled(error, session)) throw error;
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
