import type { InputRequest, InputResponse, RequestMethod, SessionError } from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { untilReady } from '../readiness.js';
import { askPromise } from './ask-promise.js';
import { type Asking, kindOf, obstacle } from './capabilities.js';
import { handlerOf } from './handler-name.js';
import { askInsideOnce, duplicateKey, keyFlaw, tooManyAtOnce, tooManyRounds } from './keys.js';
import { OnceSteps } from './once-steps.js';
import type { RoundsLimits } from './rounds-limits.js';
import { type Report, Unawaited } from './unawaited.js';

/** Puts a handler's questions to the client of one request. What it returns may be dropped: it never goes unhandled. */
export interface Asker {
  /** Asks the client. Keys are unique within the request; misuse and questions it cannot answer reject. */
  ask(key: string, request: InputRequest): Promise<InputResponse>;
  /** Runs a step once however often the handler runs; its value is JSON. */
  once<T>(key: string, fn: () => T | Promise<T>): Promise<T>;
  /** The answer of an input request in a promise that may be dropped; one that is never awaited is reported. */
  track<T>(key: unknown, answer: Promise<T>): Promise<T>;
}

/** Where the answers to a handler's questions come from. */
export interface AskingHost {
  /** Made on first use: most handlers ask nothing. */
  asker(): Asker;
  /** Why the client cannot answer an input request of that kind; undefined when it can. */
  obstacle(what: Asking): SessionError | undefined;
  /** Aborts when the handler's outcome is no longer wanted. */
  readonly signal: AbortSignal;
  /** True once the handler is suspended: nothing it says goes out any more. */
  readonly over: boolean;
}

/** What a {@link LiveAsker} asks in. */
export interface LiveCall {
  readonly request: IncomingRequest;
  readonly limits: RoundsLimits;
  readonly report: Report;
}

/**
 * Asks by requests of its own, while the handler waits. A round begins with each request that is made while no other one
 * waits, so that a handler may ask as often as in a revision whose calls end to ask.
 */
export class LiveAsker implements Asker {
  readonly #request: IncomingRequest;
  readonly #limits: RoundsLimits;
  readonly #asked = new Set<string>();
  readonly #unawaited: Unawaited;
  #rounds = 0;
  /** Requests of the present round, and those of them that wait. */
  #inRound = 0;
  #waiting = 0;
  #steps: OnceSteps | undefined;
  #over: AbortController | undefined;

  constructor({ request, limits, report }: LiveCall) {
    this.#request = request;
    this.#limits = limits;
    this.#unawaited = new Unawaited(report);
  }

  ask(key: string, request: InputRequest): Promise<InputResponse> {
    return askPromise(({ resolve, raise }) => {
      const refusal = this.#refusal(key, request) ?? this.#excess();
      if (refusal !== undefined) return raise(refusal);
      this.#asked.add(key);
      this.#waiting++;
      const settled = () => this.#waiting--;
      const sent = this.#send(request);
      follow(sent, settled, settled);
      follow(sent, resolve, raise);
    });
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    this.#steps ??= new OnceSteps({ interrupted: () => this.#request.cancelled });
    return this.#steps.run(key, fn);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /**
   * Takes back the requests that still wait: the handler is done without them.
   * @param returned - false for a handler that threw.
   */
  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.#request.cancelled);
    this.#over?.abort();
  }

  #refusal(key: string, request: InputRequest): unknown {
    if (this.#request.cancelled) return this.#request.signal.reason;
    const flaw = keyFlaw('ask', key);
    if (flaw !== undefined) return flaw;
    if (this.#asked.has(key)) return duplicateKey(handlerOf(this.#request), key);
    const step = this.#steps?.entered;
    return step === undefined ? obstacle(this.#request, kindOf(request)) : askInsideOnce(key, step);
  }

  /** Counts one more request; why it must not be made, if so. */
  #excess(): SessionError | undefined {
    const { rounds, asks } = this.#limits;
    if (this.#waiting > 0) {
      if (this.#inRound >= asks) return tooManyAtOnce(handlerOf(this.#request), asks);
      this.#inRound++;
      return undefined;
    }
    if (this.#rounds >= rounds) return tooManyRounds(handlerOf(this.#request), rounds);
    this.#rounds++;
    this.#inRound = 1;
    return undefined;
  }

  #send(request: InputRequest): Promise<InputResponse> {
    const waiting = untilReady(this.#request, this.#signal());
    return waiting === undefined
      ? this.#sendNow(request)
      : this.#request.awaiting(waiting).then(() => this.#sendNow(request));
  }

  #sendNow(request: InputRequest): Promise<InputResponse> {
    const incoming = this.#request;
    // People answer slowly: only the total counts, silence does not.
    const options = { signal: this.#signal(), timeout: Number.POSITIVE_INFINITY };
    const sent = incoming.ask(request.method as RequestMethod, this.#params(request), options);
    return sent as Promise<InputResponse>;
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
