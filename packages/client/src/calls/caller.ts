import {
  type CacheHints,
  type CallToolParams,
  type InputRequiredResult,
  type LogLevel,
  type ParamsOf,
  type RequestMethod,
  type ResultOf,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import type { RequestOptions } from '@tenon/mcp-session';
import { totalDeadlineOf } from '@tenon/mcp-session/internal';
import { type CacheableMethod, isCacheable } from '../cache/caching.js';
import type { IconFilter } from '../icons/icons.js';
import { answerRounds, endsWithInputRequests } from '../input/input-rounds.js';
import type { ConnectionSupervisor } from '../session/connection-supervisor.js';
import { isLostAnswer, isTurnedAway, isUnhandled, pastRefusals } from '../session/retry.js';
import { mirrorsParams, requireCapability, type Session } from '../session/session.js';
import {
  type Call,
  type CallerParts,
  type FinalResultOf,
  hasNoContent,
  prolonging,
  type Sent,
} from './call.js';
import { addCallSite, nameOfCall } from './call-errors.js';
import { CallLimits } from './call-limits.js';
import { type CallOptions, requireCallOptions, withMeta } from './call-options.js';
import { keptRequest } from './kept-request.js';
import { throughMiddleware } from './through-middleware.js';

/** A call that its first answer did not settle, and its limits. */
interface UnsettledCall<M extends RequestMethod, Result> {
  readonly call: Call<M, Result>;
  readonly options: CallOptions | undefined;
  readonly limits: CallLimits;
}

function itself<T>(answer: T): T {
  return answer;
}

/** The call has been through the middleware before its first request. */
const inCall = { timeoutOption: 'timeout', pastMiddleware: true } as const;
const noOptions: RequestOptions = Object.freeze(inCall);
const withProgress: RequestOptions = Object.freeze({ ...inCall, progress: true });

/** True for options that concern the sending of a request: others cost it nothing. */
function isSent({ signal, onProgress, progress, timeout, total, headers, logLevel }: CallOptions): boolean {
  return (signal ?? onProgress ?? progress ?? timeout ?? total ?? headers ?? logLevel) !== undefined;
}

/** Methods that may take long: progress is requested even without a listener, because it extends the time of the call. */
const lasting: ReadonlySet<string> = new Set(['tools/call', 'resources/read', 'prompts/get']);

/** Sends the calls of a client over its current session. */
export class Caller {
  readonly supervisor: ConnectionSupervisor;
  readonly #parts: CallerParts;
  readonly icons: IconFilter;
  /** The least severe log level, if there is one. */
  logLevel: LogLevel | undefined;

  constructor(supervisor: ConnectionSupervisor, parts: CallerParts) {
    this.supervisor = supervisor;
    this.#parts = parts;
    this.icons = parts.icons;
  }

  get hasMiddleware(): boolean {
    return this.#parts.middleware !== undefined;
  }

  /** Makes a call that returns the answer itself; see {@link perform}. */
  call<M extends RequestMethod>(
    method: M,
    given: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<FinalResultOf<M>> {
    return this.perform({ method, params: withMeta(given, options), options, resultOf: itself });
  }

  /** Makes a call of any method. */
  request<M extends RequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions | undefined,
  ): Promise<FinalResultOf<M>> {
    return isCacheable(method)
      ? (this.read(method, params as never, options) as Promise<never>)
      : this.call(method, params, options);
  }

  /** Makes a call with a result that may be reused: returns the stored one, if it is fresh. */
  async read<M extends CacheableMethod>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions | undefined,
  ): Promise<FinalResultOf<M>> {
    const caching = this.supervisor.session && this.#parts.caching;
    const expected = caching?.expect(method, params as UnknownObject, options);
    if (expected !== undefined && options?.fresh !== true && options?.signal?.aborted !== true) {
      const kept = caching?.find(expected, method);
      if (kept !== undefined) return kept as FinalResultOf<M>;
    }
    const resultOf = (answer: FinalResultOf<M>, atOnce: boolean) => {
      const clean = this.icons.clean(method, answer);
      // A result that depended on input is not the answer to the request alone.
      if (expected !== undefined && atOnce) caching?.keep(expected, clean as CacheHints);
      return clean;
    };
    try {
      return await this.perform({ method, params: withMeta(params, options), options, resultOf });
    } catch (error) {
      if (expected !== undefined) caching?.failed(expected, error);
      throw error;
    }
  }

  /**
   * Sends one request. If the server requests input, provides it and sends the request again.
   * Sends again once what the server certainly did not handle, and what may be repeated after a lost answer; see {@link mayRepeat}.
   * @param wrapped - true for a call that is in the middleware already.
   */
  async perform<M extends RequestMethod, Result>(
    call: Call<M, Result>,
    options: CallOptions | undefined = call.options,
    wrapped: boolean = this.#parts.middleware === undefined,
  ): Promise<Result> {
    const { method } = call;
    if (options !== undefined) requireCallOptions(method, options);
    const { session } = this.supervisor;
    if (session === undefined) return this.#callWhenConnected(call, options, wrapped);
    if (this.#parts.preparation !== undefined && method === 'tools/call')
      this.#prepare(call, options, session);
    if (!wrapped) {
      const perform = (one: Call<M, FinalResultOf<M>>) => this.perform(one, options, true);
      return throughMiddleware(this.#parts.middleware ?? [], { call, session, perform });
    }
    const { params } = call;
    // The clock is read only for a call with a time limit: the others read it at their first answer.
    const since = options?.total === undefined ? undefined : this.#parts.clock.now();
    const { results } = this.#parts;
    let result: ResultOf<M>;
    try {
      // Not through #send: another promise per call is measurable.
      requireCapability(session, method);
      const send = this.#sendOptions(session, call, options);
      result = await (results !== undefined && method === 'tools/call' && results.outlasts(params, session)
        ? keptRequest(call, send, { session, results })
        : session.endpoint.request(method, params, send));
    } catch (error) {
      addCallSite(error);
      const unsettled = { call, options, limits: this.#limitsOf(call, options, { since }) };
      return await this.#settled(unsettled, this.#repeated(unsettled, session, error));
    }
    const mayBeOpen = results !== undefined && hasNoContent(method, result);
    if (mayBeOpen || (result as UnknownObject).resultType !== undefined) {
      const unsettled = { call, options, limits: this.#limitsOf(call, options, { since, asked: result }) };
      return await this.#settled(unsettled, this.#finish(unsettled, session, result));
    }
    return call.resultOf(result as FinalResultOf<M>, true);
  }

  /** Returns the result of a call that was sent in a batch. */
  async batched<M extends RequestMethod>(
    sent: Sent<M>,
    session: Session,
    result: ResultOf<M>,
  ): Promise<FinalResultOf<M>> {
    const call = { ...sent, resultOf: (answer: FinalResultOf<M>) => this.icons.clean(sent.method, answer) };
    const mayBeOpen = this.#parts.results !== undefined && hasNoContent(sent.method, result);
    if (!mayBeOpen && (result as UnknownObject).resultType === undefined)
      return call.resultOf(result as FinalResultOf<M>);
    const { options } = sent;
    const unsettled = { call, options, limits: this.#limitsOf(call, options, { asked: result }) };
    return this.#settled(unsettled, this.#finish(unsettled, session, result));
  }

  /** Makes a call once there is a session again; the wait counts for its time limit. */
  async #callWhenConnected<M extends RequestMethod, Result>(
    call: Call<M, Result>,
    options: CallOptions | undefined,
    wrapped: boolean,
  ): Promise<Result> {
    if (options?.total === undefined) {
      await this.supervisor.waitForSession(options?.signal);
      return this.perform(call, options, wrapped);
    }
    const limits = this.#limitsOf(call, options, {});
    const { signal } = limits.begin();
    try {
      await this.supervisor.waitForSession(signal);
      return await this.perform(call, { ...options, signal }, wrapped);
    } catch (error) {
      throw limits.errorFor(error);
    } finally {
      limits.end();
    }
  }

  /** Returns the limits of a call, from its start or else from now. */
  #limitsOf(
    call: Sent<RequestMethod>,
    options: CallOptions | undefined,
    began: { readonly since?: number | undefined; readonly asked?: object },
  ): CallLimits {
    const { clock, total: usual, running } = this.#parts;
    const total = options?.total ?? usual;
    const { since = clock.now(), asked } = began;
    const deadline =
      began.since === undefined && asked !== undefined ? totalDeadlineOf(asked) : since + total;
    const signal = options?.signal;
    return new CallLimits({ clock, call, total, deadline: deadline ?? since + total, signal, running });
  }

  /** Continues a call that its first answer did not settle. */
  async #settled<M extends RequestMethod, Result>(
    { call, options, limits }: UnsettledCall<M, Result>,
    answer: Promise<FinalResultOf<M>>,
  ): Promise<Result> {
    try {
      let result: FinalResultOf<M>;
      try {
        result = await answer;
      } catch (error) {
        this.#parts.caching?.doubt(call.method, error);
        if ((await call.fix?.(error, limits)) !== true) throw error;
        const again = { ...options, signal: limits.begin().signal };
        const { method, params } = call;
        result = await this.perform({ method, params, options: again, resultOf: itself }, again, true);
      }
      return await call.resultOf(result, false);
    } catch (error) {
      throw limits.errorFor(error);
    } finally {
      limits.end();
    }
  }

  /** Sends a failed call again, if it may be repeated. */
  async #repeated<M extends RequestMethod>(
    unsettled: UnsettledCall<M, unknown>,
    failed: Session,
    error: unknown,
  ): Promise<FinalResultOf<M>> {
    const { call, options, limits } = unsettled;
    const isRefused = isTurnedAway(error);
    const needsExtension =
      !isRefused && !isUnhandled(error, failed) && !this.#parts.repeatableTools.allow(call);
    if (!this.mayRepeat(failed, call, error)) throw this.#parts.errorForCaller(error, failed);
    const { signal } = limits.begin();
    const session = isRefused
      ? await this.supervisor.afterRefusal(failed, 1, signal)
      : await this.supervisor.waitForSession(signal);
    if (session === undefined) throw this.#parts.errorForCaller(error, failed);
    // The next server may be another one.
    if (needsExtension && !this.#extensionRepeats(session, call))
      throw this.#parts.errorForCaller(error, failed);
    const { method, params } = call;
    const sent = { method, params, options: { ...options, signal } };
    const result = await this.#send(session, sent, 2);
    return this.#finish(unsettled, session, result);
  }

  /** @param attempt - the number of the next attempt after a refusal. */
  #send<M extends RequestMethod>(session: Session, sent: Sent<M>, attempt = 1): Promise<ResultOf<M>> {
    const { method, params, options } = sent;
    const send = async (one: Session) => {
      try {
        requireCapability(one, method);
        return await one.endpoint.request(method, params, this.#sendOptions(one, sent, options));
      } catch (error) {
        addCallSite(error);
        throw this.#parts.errorForCaller(error, one);
      }
    };
    return pastRefusals(this.supervisor, send, { session, attempt, signal: options?.signal });
  }

  /** Returns the final result of a call: provides the requested input, and passes a result of an extension's type to the extension. */
  async #finish<M extends RequestMethod>(
    unsettled: UnsettledCall<M, unknown>,
    session: Session,
    first: object,
  ): Promise<FinalResultOf<M>> {
    const result = endsWithInputRequests(first, session)
      ? await this.#answered(unsettled, session, first)
      : first;
    const { results } = this.#parts;
    if (results === undefined) return result as FinalResultOf<M>;
    const { call, options, limits } = unsettled;
    const { method, params } = call;
    const open = { method, params, options, session: this.supervisor.session ?? session, limits };
    return results.final(result as UnknownObject, open) as Promise<object> as Promise<FinalResultOf<M>>;
  }

  #prepare(call: Sent<RequestMethod>, options: CallOptions | undefined, session: Session): void {
    const prepared = this.#parts.preparation?.prepare(call.params as CallToolParams, { options, session });
    if (prepared !== undefined) call.params = prepared;
  }

  /** Answers the input requests of a call, in all rounds. */
  async #answered<M extends RequestMethod>(
    { call, options, limits }: UnsettledCall<M, unknown>,
    session: Session,
    required: InputRequiredResult,
  ): Promise<object> {
    this.supervisor.ended.throwIfAborted();
    const stop = limits.begin();
    const { signal } = stop;
    const { method, params: first } = call;
    const again = async (params: ParamsOf<M>): Promise<object> => {
      const now = this.supervisor.session ?? (await this.supervisor.waitForSession(signal));
      if (now.revision === session.revision) {
        return this.#send(now, { method, params, options: { ...options, signal } });
      }
      throw new SessionError(
        'closed',
        'The connection was lost, and the server now speaks another revision.',
      );
    };
    const { maxRounds, state } = options ?? {};
    const interrupted = {
      name: nameOfCall(call),
      method,
      params: first,
      session,
      maxRounds,
      state,
      stop,
      again,
    };
    return answerRounds(this.#parts.rounds, interrupted, required);
  }

  #sendOptions(
    session: Session,
    sent: Sent<RequestMethod>,
    options: CallOptions | undefined,
  ): RequestOptions {
    const { method, params } = sent;
    const logLevel = options?.logLevel ?? this.logLevel;
    const perRequest = logLevel !== undefined && session.revision.rules.logging === 'request';
    const progress = lasting.has(method);
    const mirrored =
      method === 'tools/call' && mirrorsParams(session)
        ? this.#parts.toolHeaders.of(params as UnknownObject)
        : undefined;
    if ((options === undefined || !isSent(options)) && !perRequest && mirrored === undefined) {
      return progress ? withProgress : noOptions;
    }
    const headers = mirrored && { headers: { ...options?.headers, ...mirrored } };
    const more = this.#parts.results && options?.onProgress && prolonging(sent);
    const own = { ...inCall, progress, ...options, ...headers, ...more };
    return perRequest ? { ...own, logLevel } : own;
  }

  /**
   * True for a failure after which a request may be sent again: the server certainly did not handle it, or it
   * may be repeated after a lost answer. A session that is known to have ended has been replaced by then.
   */
  mayRepeat(session: Session, request: Sent<RequestMethod>, error: unknown): boolean {
    if (isTurnedAway(error)) return this.supervisor.repeatsRefused;
    const unhandled = isUnhandled(error, session);
    if (unhandled) this.supervisor.lose(session.endpoint, error);
    const isSafe = this.#parts.repeatableTools.allow(request) || this.#extensionRepeats(session, request);
    const again = unhandled || (isSafe && isLostAnswer(session, error));
    return again && this.supervisor.state !== 'closed';
  }

  /** True if an extension accounts for a tool call that is sent twice. */
  #extensionRepeats(session: Session, { method, params, options }: Sent<RequestMethod>): boolean {
    if (method !== 'tools/call') return false;
    return this.#parts.preparation?.mayRepeat(params as CallToolParams, { options, session }) === true;
  }

  /** Runs a task with the session, and again with the next session while sessions end before a server has its request. */
  async withSession<Result>(task: (session: Session) => Promise<Result>): Promise<Result> {
    const session = this.supervisor.session ?? (await this.supervisor.waitForSession());
    const run = async (one: Session) => {
      try {
        return await task(one);
      } catch (error) {
        addCallSite(error);
        throw error;
      }
    };
    return pastRefusals(this.supervisor, run, { session, fitsAll: true });
  }
}
