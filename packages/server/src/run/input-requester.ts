import {
  type CallHistory,
  ErrorCode,
  type InputRequest,
  type InputResponse,
  RemoteError,
  type RequestId,
  type SessionError,
  type UnknownObject,
  type WireError,
} from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { untilReady } from '../core/readiness.js';
import { stepJournalOf } from './step-journal.js';
import { CallNotes } from './call-notes.js';
import { type InputType, inputTypeOf, obstacle } from './capabilities.js';
import { handlerOf } from './handler-name.js';
import { duplicateKey, inputRequestInsideOnce, keyProblem, tooManyAtOnce, tooManyRounds } from './keys.js';
import { OnceSteps } from './once-steps.js';
import type { RoundsLimits } from './rounds-limits.js';
import { inputPromise } from './request-promise.js';
import { type Report, Unawaited } from './unawaited.js';

/** Makes a handler's input requests to the client of one request. Its promises may be dropped: their rejections are always handled. */
export interface InputRequester {
  /** Makes an input request. Keys are unique within the request; it rejects for misuse and if the client cannot answer. */
  requestInput(key: string, request: InputRequest): Promise<InputResponse>;
  /** Runs a step once however often the handler runs; its value is JSON. */
  once<T>(key: string, fn: () => T | Promise<T>): Promise<T>;
  /** Returns the answer of an input request in a promise that may be dropped; one that is never awaited is reported. */
  track<T>(key: unknown, answer: Promise<T>): Promise<T>;
}

/** The source of the answers to a handler's input requests. */
export interface InputHost {
  /** Made on first use: most handlers make no input requests. */
  inputRequester(): InputRequester;
  /** Returns the reason why the client cannot answer an input request of that type; undefined if it can. */
  obstacle(what: InputType): SessionError | undefined;
  /** Aborts when the handler's result is no longer needed. */
  readonly signal: AbortSignal;
  /** True if the handler is suspended: its messages are not sent any more. */
  readonly over: boolean;
  /** The answers and steps of earlier runs of the handler for the same call; undefined in its first run. */
  readonly history: CallHistory | undefined;
}

/** The dependencies of live input requests. */
export interface LiveCall {
  readonly request: IncomingRequest;
  readonly limits: RoundsLimits;
  readonly report: Report;
  /** Undefined if no extension intercepts input requests. */
  readonly intercept?: InterceptInput | undefined;
}

/** One input request that extensions may intercept. */
export interface InterceptableInput {
  /** The request that the handler serves. */
  readonly request: IncomingRequest;
  readonly method: InputRequest['method'];
  readonly params: UnknownObject;
  /** Aborts when the handler no longer needs the answer. */
  readonly signal: AbortSignal;
}

/** Runs an input request through the extensions that intercept, the first outermost. @param send - sends the request as it is. */
export type InterceptInput = (
  input: InterceptableInput,
  send: () => Promise<InputResponse>,
) => Promise<InputResponse>;

/**
 * Makes input requests as separate requests, while the handler waits. A round begins with each request that is made while no other one
 * waits, so that the limits are the same as in revisions that end the call with input requests.
 */
export class LiveInput implements InputRequester {
  readonly #request: IncomingRequest;
  readonly #limits: RoundsLimits;
  readonly #requested = new Set<string>();
  readonly #unawaited: Unawaited;
  readonly #intercept: InterceptInput | undefined;
  /** Set if another process can continue the call, or has begun it. */
  readonly #notes: CallNotes | undefined;
  #rounds = 0;
  /** The requests of the current round, and those of them that wait. */
  #inRound = 0;
  #waiting = 0;
  #steps: OnceSteps | undefined;
  #over: AbortController | undefined;

  constructor({ request, limits, report, intercept }: LiveCall) {
    this.#request = request;
    this.#limits = limits;
    this.#unawaited = new Unawaited(report);
    this.#intercept = intercept;
    const { history, suspend } = request.exchange;
    this.#notes = history === undefined && suspend === undefined ? undefined : new CallNotes(request);
  }

  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return inputPromise(({ resolve, raise }) => {
      const refusal = this.#refusal(key, request) ?? this.#excess();
      if (refusal !== undefined) return raise(refusal);
      this.#requested.add(key);
      const earlier = this.#notes?.answerTo(key, request.method);
      if (earlier !== undefined) return follow(earlier, resolve, raise);
      this.#waiting++;
      const settled = () => this.#waiting--;
      const sent = this.#send(key, request);
      follow(sent, settled, settled);
      follow(sent, resolve, raise);
    });
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    const journal = stepJournalOf(this.#request);
    this.#steps ??= new OnceSteps(
      { interrupted: () => this.#request.cancelled },
      this.#notes?.steps ?? new Map(),
      journal,
    );
    return this.#steps.run(key, fn);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /**
   * Cancels the requests that still wait: the handler has finished without them.
   * @param returned - false for a handler that threw.
   */
  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.#request.cancelled);
    this.#over?.abort();
  }

  #refusal(key: string, request: InputRequest): unknown {
    if (this.#request.cancelled) return this.#request.signal.reason;
    const problem = keyProblem('input request', key);
    if (problem !== undefined) return problem;
    if (this.#requested.has(key)) return duplicateKey(handlerOf(this.#request), key);
    const step = this.#steps?.entered;
    return step === undefined
      ? obstacle(this.#request, inputTypeOf(request))
      : inputRequestInsideOnce(key, step);
  }

  /** Counts one more request; returns the reason if it must not be made. */
  #excess(): SessionError | undefined {
    const { rounds, inputRequests } = this.#limits;
    if (this.#waiting > 0) {
      if (this.#inRound >= inputRequests) return tooManyAtOnce(handlerOf(this.#request), inputRequests);
      this.#inRound++;
      return undefined;
    }
    if (this.#rounds >= rounds) return tooManyRounds(handlerOf(this.#request), rounds);
    this.#rounds++;
    this.#inRound = 1;
    return undefined;
  }

  #send(key: string, request: InputRequest): Promise<InputResponse> {
    const waiting = untilReady(this.#request, this.#signal());
    return waiting === undefined
      ? this.#sendNow(key, request)
      : this.#request.awaiting(waiting).then(() => this.#sendNow(key, request));
  }

  #sendNow(key: string, request: InputRequest): Promise<InputResponse> {
    const incoming = this.#request;
    const notes = this.#notes;
    const signal = this.#signal();
    const { method } = request;
    const params = this.#params(request) as UnknownObject;
    let isSent = false;
    const onId = (id: RequestId) => {
      isSent = true;
      notes?.requested(id, key);
    };
    // People answer slowly: only the total time is limited, silence is not.
    const options = { signal, timeout: Number.POSITIVE_INFINITY, ...(notes !== undefined && { onId }) };
    const send = () => incoming.ask(method, params as never, options) as Promise<InputResponse>;
    const answer =
      this.#intercept === undefined
        ? send()
        : incoming.awaiting(this.#intercept({ request: incoming, method, params, signal }, send));
    if (notes === undefined) return answer;
    return answer.then(
      async (result) => {
        await notes.answered(key, { result });
        return result;
      },
      async (error: unknown) => {
        // A handler that goes on without an answer must have the call too.
        const isAnswered = isSent || error instanceof RemoteError;
        if (isAnswered && !signal.aborted) await notes.answered(key, { error: wireErrorOf(error) });
        throw error;
      },
    );
  }

  #params(request: InputRequest): object {
    const { params } = request;
    if (request.method !== 'elicitation/create' || request.params.mode !== 'url') return params ?? {};
    if (!this.#request.revision.rules.elicitationIds || request.params.elicitationId !== undefined)
      return request.params;
    return { ...request.params, elicitationId: globalThis.crypto.randomUUID() };
  }

  #signal(): AbortSignal {
    if (this.#over === undefined) {
      const over = new AbortController();
      const outer = this.#request.signal;
      outer.addEventListener('abort', () => over.abort(outer.reason), { once: true });
      this.#over = over;
    }
    return this.#over.signal;
  }
}

/** Returns the error that a handler received in place of an answer, as another process can give it to the handler. */
function wireErrorOf(error: unknown): WireError {
  if (error instanceof RemoteError) return { code: error.code, message: error.peerMessage };
  return { code: ErrorCode.internalError, message: error instanceof Error ? error.message : String(error) };
}
