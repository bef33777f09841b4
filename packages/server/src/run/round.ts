import type { InputRequest, InputResponse, SessionError } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { stepJournalOf } from './step-journal.js';
import { inputTypeOf, obstacle } from './capabilities.js';
import { handlerOf } from './handler-name.js';
import type { InputRequester } from './input-requester.js';
import {
  duplicateKey,
  inputRequestInsideOnce,
  keyProblem,
  otherRequest,
  tooManyAtOnce,
  tooManyRounds,
} from './keys.js';
import { inputPromise, type Settle } from './request-promise.js';
import { digestOf } from '../sealing/canonical-json.js';
import { type Report, Unawaited } from './unawaited.js';
import { type Memory, offeredAnswer } from './memory.js';
import { OnceSteps } from './once-steps.js';
import type { RoundsLimits } from './rounds-limits.js';
import { Suspension } from './suspension.js';

/** The dependencies of one run of a handler. */
export interface RoundCall {
  readonly request: IncomingRequest;
  readonly limits: RoundsLimits;
  readonly memory: Memory;
  /** Called once, when the round ends with input requests; pending ones reject afterwards. */
  suspend(suspension: Suspension): void;
  /** Called once, when the call must fail even if its handler catches the error; pending input requests reject with it. */
  fail(error: unknown): void;
  readonly report: Report;
}

interface WaitingRequest extends Settle<InputResponse> {
  readonly request: InputRequest;
}

/**
 * One run of a handler with input requests in the result. The round ends at the first turn of the event loop that
 * begins with a waiting input request and no running `once` step: all requests until then are sent together.
 */
export class Round implements InputRequester {
  readonly #call: RoundCall;
  readonly #steps: OnceSteps;
  readonly #requested = new Set<string>();
  readonly #waiting = new Map<string, WaitingRequest>();
  readonly #unawaited: Unawaited;
  #running = 0;
  #turn: ReturnType<typeof setTimeout> | undefined;
  #stopHolding: (() => void) | undefined;
  /** The error with which all later input requests reject. */
  #over: unknown;
  #inputRequests: ReadonlyMap<string, InputRequest> = new Map();
  #settled: (() => void) | undefined;

  constructor(call: RoundCall) {
    this.#call = call;
    this.#unawaited = new Unawaited(call.report);
    const watch = {
      started: () => this.#started(),
      finished: () => this.#finished(),
      interrupted: () => this.#over !== undefined || call.request.cancelled,
    };
    this.#steps = new OnceSteps(watch, call.memory.steps, stepJournalOf(call.request));
  }

  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return inputPromise((settle) => {
      const refusal = this.#refusal(key, request);
      if (refusal !== undefined) return settle.raise(refusal);
      let plain: InputRequest;
      try {
        plain = JSON.parse(JSON.stringify(request)) as InputRequest;
      } catch (cause) {
        return settle.raise(
          new TypeError(`The input request ${JSON.stringify(key)} must be JSON.`, { cause }),
        );
      }
      this.#requested.add(key);
      const waiting = { ...settle, request: plain };
      const { memory, request: incoming } = this.#call;
      if (memory.answers.has(key)) {
        detach(this.#replay(key, waiting), waiting.raise);
        return;
      }
      try {
        const offered = offeredAnswer(memory, incoming, { key, method: plain.method });
        if (offered === undefined) this.#wait(key, waiting);
        else detach(this.#take(key, waiting, offered), waiting.raise);
      } catch (error) {
        waiting.raise(error);
      }
    });
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    const over = this.#over;
    if (over !== undefined) return inputPromise(({ raise }) => raise(over));
    return this.#steps.run(key, fn);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /** The input requests of a suspended round, sent when the running steps have settled. */
  async inputRequests(): Promise<ReadonlyMap<string, InputRequest>> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve;
      });
    }
    return this.#inputRequests;
  }

  /**
   * Ends a round after its handler has finished: input requests that still wait are not needed.
   * @param returned - false for a handler that threw.
   */
  end(returned: boolean): void {
    if (this.#over !== undefined) return;
    this.#unawaited.end(returned && !this.#call.request.cancelled);
    this.#close(new Suspension([...this.#waiting.keys()]));
  }

  #refusal(key: string, request: InputRequest): unknown {
    if (this.#over !== undefined) return this.#over;
    const { request: incoming, memory } = this.#call;
    if (incoming.cancelled) return incoming.signal.reason;
    const problem = keyProblem('input request', key);
    if (problem !== undefined) return problem;
    if (this.#requested.has(key)) return duplicateKey(handlerOf(incoming), key);
    const step = this.#steps.entered;
    if (step !== undefined) return inputRequestInsideOnce(key, step);
    const missing = obstacle(incoming, inputTypeOf(request));
    return missing === undefined && !memory.answers.has(key) ? this.#excess() : missing;
  }

  /** Returns the reason if no more input requests can be made. */
  #excess(): SessionError | undefined {
    const { limits, memory, request } = this.#call;
    if (memory.rounds >= limits.rounds) return tooManyRounds(handlerOf(request), limits.rounds);
    return this.#waiting.size >= limits.inputRequests
      ? tooManyAtOnce(handlerOf(request), limits.inputRequests)
      : undefined;
  }

  async #replay(key: string, waiting: WaitingRequest): Promise<void> {
    const { answers } = this.#call.memory;
    this.#started();
    try {
      const answer = answers.get(key);
      if (answer?.digest === (await digestOf(waiting.request))) return waiting.resolve(answer.value);
      const { request } = this.#call;
      const refusal = this.#over ?? (request.cancelled ? request.signal.reason : undefined);
      waiting.raise(refusal ?? this.#fail(otherRequest(handlerOf(request), key)));
    } catch (error) {
      waiting.raise(error);
    } finally {
      this.#finished();
    }
  }

  /** Remembers an answer that arrived before its input request. */
  async #take(key: string, waiting: WaitingRequest, value: InputResponse): Promise<void> {
    this.#started();
    try {
      this.#call.memory.answers.set(key, { digest: await digestOf(waiting.request), value });
      waiting.resolve(value);
    } catch (error) {
      waiting.raise(error);
    } finally {
      this.#finished();
    }
  }

  #wait(key: string, waiting: WaitingRequest): void {
    const { request } = this.#call;
    if (this.#waiting.size === 0) request.signal.addEventListener('abort', this.#cancelled, { once: true });
    this.#waiting.set(key, waiting);
    this.#turn ??= setTimeout(this.#turned, 0);
  }

  #started(): void {
    this.#running++;
  }

  #finished(): void {
    if (--this.#running > 0) return;
    this.#settled?.();
    if (this.#waiting.size > 0) this.#turn ??= setTimeout(this.#turned, 0);
  }

  readonly #turned = (): void => {
    this.#turn = undefined;
    const { request, limits } = this.#call;
    if (this.#running === 0) this.#suspend();
    else this.#stopHolding ??= request.host.clock.schedule(() => this.#suspend(), limits.onceWait);
  };

  #suspend(): void {
    this.#inputRequests = new Map([...this.#waiting].map(([key, waiting]) => [key, waiting.request]));
    const suspension = new Suspension([...this.#waiting.keys()]);
    // Before the callbacks: an input request made in a callback is too late.
    this.#over = suspension;
    this.#unawaited.end(false);
    this.#call.suspend(suspension);
    this.#close(suspension);
  }

  #fail(error: TypeError): TypeError {
    this.#over = error;
    this.#unawaited.end(false);
    this.#call.fail(error);
    this.#close(error);
    return error;
  }

  readonly #cancelled = (): void => {
    this.#reject(this.#call.request.signal.reason);
  };

  #close(reason: unknown): void {
    this.#over = reason;
    this.#call.request.signal.removeEventListener('abort', this.#cancelled);
    this.#reject(reason);
  }

  #reject(reason: unknown): void {
    if (this.#turn !== undefined) clearTimeout(this.#turn);
    this.#turn = undefined;
    this.#stopHolding?.();
    this.#stopHolding = undefined;
    const open = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of open) waiting.raise(reason);
  }
}
