import type { InputRequest, InputResponse, SessionError } from '@tenon/mcp-protocol';
import { detach } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import { askPromise, type Settle } from './ask-promise.js';
import type { Asker } from './asker.js';
import { digestOf } from './canonical-json.js';
import { kindOf, obstacle } from './capabilities.js';
import { handlerOf } from './handler-name.js';
import { askInsideOnce, duplicateKey, keyFlaw, otherRequest, tooManyAtOnce, tooManyRounds } from './keys.js';
import { type Memory, offeredAnswer } from './memory.js';
import { OnceSteps } from './once-steps.js';
import type { RoundsLimits } from './rounds-limits.js';
import { Suspension } from './suspension.js';
import { type Report, Unawaited } from './unawaited.js';

/** What one run of a handler asks in. */
export interface RoundCall {
  readonly request: IncomingRequest;
  readonly limits: RoundsLimits;
  readonly memory: Memory;
  /** Called once, when the round ends with questions; pending ones reject afterwards. */
  suspend(suspension: Suspension): void;
  /** Called once, when the call must fail whatever its handler makes of the error; pending questions reject with it. */
  fail(error: unknown): void;
  readonly report: Report;
}

interface Question extends Settle<InputResponse> {
  readonly request: InputRequest;
}

/**
 * One run of a handler whose questions travel in the result. The round ends at the first turn of the event loop that
 * begins with a question waiting and no `once` step running: what was asked until then travels together.
 */
export class Round implements Asker {
  readonly #call: RoundCall;
  readonly #steps: OnceSteps;
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, Question>();
  readonly #unawaited: Unawaited;
  #running = 0;
  #turn: ReturnType<typeof setTimeout> | undefined;
  #stopHolding: (() => void) | undefined;
  /** What whatever is asked from now on rejects with. */
  #over: unknown;
  #asks: ReadonlyMap<string, InputRequest> = new Map();
  #settled: (() => void) | undefined;

  constructor(call: RoundCall) {
    this.#call = call;
    this.#unawaited = new Unawaited(call.report);
    const watch = {
      started: () => this.#started(),
      finished: () => this.#finished(),
      interrupted: () => this.#over !== undefined || call.request.cancelled,
    };
    this.#steps = new OnceSteps(watch, call.memory.steps);
  }

  ask(key: string, request: InputRequest): Promise<InputResponse> {
    return askPromise((settle) => {
      const refusal = this.#refusal(key, request);
      if (refusal !== undefined) return settle.raise(refusal);
      let plain: InputRequest;
      try {
        plain = JSON.parse(JSON.stringify(request)) as InputRequest;
      } catch (cause) {
        return settle.raise(new TypeError(`The question ${JSON.stringify(key)} must be JSON.`, { cause }));
      }
      this.#asked.add(key);
      const question = { ...settle, request: plain };
      const { memory, request: incoming } = this.#call;
      if (memory.answers.has(key)) {
        detach(this.#replay(key, question), question.raise);
        return;
      }
      try {
        const offered = offeredAnswer(memory, incoming, { key, method: plain.method });
        if (offered === undefined) this.#wait(key, question);
        else detach(this.#take(key, question, offered), question.raise);
      } catch (error) {
        question.raise(error);
      }
    });
  }

  once<T>(key: string, fn: () => T | Promise<T>): Promise<T> {
    const over = this.#over;
    if (over !== undefined) return askPromise(({ raise }) => raise(over));
    return this.#steps.run(key, fn);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /** What a suspended round asks, once the steps that run have settled. */
  async questions(): Promise<ReadonlyMap<string, InputRequest>> {
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#settled = resolve;
      });
    }
    return this.#asks;
  }

  /**
   * Ends a round whose handler is done: what it still waits for, nobody needs.
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
    const flaw = keyFlaw('ask', key);
    if (flaw !== undefined) return flaw;
    if (this.#asked.has(key)) return duplicateKey(handlerOf(incoming), key);
    const step = this.#steps.entered;
    if (step !== undefined) return askInsideOnce(key, step);
    const missing = obstacle(incoming, kindOf(request));
    return missing === undefined && !memory.answers.has(key) ? this.#excess() : missing;
  }

  /** Why nothing more can be asked, if so. */
  #excess(): SessionError | undefined {
    const { limits, memory, request } = this.#call;
    if (memory.rounds >= limits.rounds) return tooManyRounds(handlerOf(request), limits.rounds);
    return this.#waiting.size >= limits.asks ? tooManyAtOnce(handlerOf(request), limits.asks) : undefined;
  }

  async #replay(key: string, question: Question): Promise<void> {
    const { answers } = this.#call.memory;
    this.#started();
    try {
      const answer = answers.get(key);
      if (answer?.digest === (await digestOf(question.request))) return question.resolve(answer.value);
      const { request } = this.#call;
      const refusal = this.#over ?? (request.cancelled ? request.signal.reason : undefined);
      question.raise(refusal ?? this.#fail(otherRequest(handlerOf(request), key)));
    } catch (error) {
      question.raise(error);
    } finally {
      this.#finished();
    }
  }

  /** Remembers an answer that came before its question. */
  async #take(key: string, question: Question, value: InputResponse): Promise<void> {
    this.#started();
    try {
      this.#call.memory.answers.set(key, { digest: await digestOf(question.request), value });
      question.resolve(value);
    } catch (error) {
      question.raise(error);
    } finally {
      this.#finished();
    }
  }

  #wait(key: string, question: Question): void {
    const { request } = this.#call;
    if (this.#waiting.size === 0) request.signal.addEventListener('abort', this.#cancelled, { once: true });
    this.#waiting.set(key, question);
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
    this.#asks = new Map([...this.#waiting].map(([key, question]) => [key, question.request]));
    const suspension = new Suspension([...this.#waiting.keys()]);
    // Before anything hears of it: whoever asks on hearing is too late.
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
    const questions = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const question of questions) question.raise(reason);
  }
}
