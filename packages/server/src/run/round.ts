import type { InputRequest, InputResponse, SessionError } from '@tenon/mcp-protocol';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { RoundsBounds } from '../core/limits.js';
import { digestOf } from '../sealing/digest.js';
import { inputTypeOf, obstacle } from './capabilities.js';
import { Suspension } from './input-promise.js';
import type { InputPort } from './inputs.js';
import { OnceSteps, type StepJournal } from './once-steps.js';
import { handlerOf, otherRequest, tooManyAtOnce, tooManyRounds } from './problems.js';
import { type EarlierRounds, offeredAnswer } from './round-record.js';

/** The dependencies of one round. */
export interface RoundCall {
  readonly request: IncomingRequest;
  readonly limits: RoundsBounds;
  readonly earlier: EarlierRounds;
  readonly steps: StepJournal | undefined;
  /** Called once, when the round ends with input requests; pending ones reject afterwards. */
  suspend(suspension: Suspension): void;
  /** Called once, when the call must fail even if its handler catches the error; pending input requests reject with it. */
  fail(error: unknown): void;
}

interface WaitingRequest {
  readonly request: InputRequest;
  reject(reason: unknown): void;
}

/**
 * Ends the call with the input requests of one run of its handler. The round ends at the first turn of the event loop that begins with
 * a waiting input request and no running `once` step: all requests until then are sent together.
 */
export class Round implements InputPort {
  readonly steps: OnceSteps;
  readonly #call: RoundCall;
  readonly #waiting = new Map<string, WaitingRequest>();
  #running = 0;
  #turn: ReturnType<typeof setTimeout> | undefined;
  #stopHolding: (() => void) | undefined;
  /** The error with which all later input requests reject. */
  #over: unknown;
  #inputRequests: ReadonlyMap<string, InputRequest> = new Map();
  #settled: (() => void) | undefined;

  constructor(call: RoundCall) {
    this.#call = call;
    const watch = {
      started: () => this.#started(),
      finished: () => this.#finished(),
      interrupted: () => this.ended() !== undefined,
      ended: () => this.#over,
    };
    this.steps = new OnceSteps(watch, call.earlier.steps, call.steps);
  }

  ended(): unknown {
    const { request } = this.#call;
    return this.#over ?? (request.cancelled ? request.signal.reason : undefined);
  }

  refusal(key: string, request: InputRequest): SessionError | undefined {
    const { limits, earlier, request: incoming } = this.#call;
    const missing = obstacle(incoming, inputTypeOf(request));
    if (missing !== undefined || earlier.answers.has(key)) return missing;
    if (earlier.rounds >= limits.rounds) return tooManyRounds(handlerOf(incoming), limits.rounds);
    return this.#waiting.size >= limits.inputRequests
      ? tooManyAtOnce(handlerOf(incoming), limits.inputRequests)
      : undefined;
  }

  async answer(key: string, request: InputRequest): Promise<InputResponse> {
    const plain = asJson(key, request);
    const { earlier, request: incoming } = this.#call;
    const known = earlier.answers.get(key);
    const result = known?.result ?? offeredAnswer(earlier, incoming, { key, method: plain.method });
    if (result === undefined) return this.#wait(key, plain);
    this.#started();
    try {
      const digest = await digestOf(plain);
      // An answer that arrived before its input request is remembered.
      if (known === undefined) earlier.answers.set(key, { digest, result });
      else if (known.digest !== digest)
        throw this.ended() ?? this.#fail(otherRequest(handlerOf(incoming), key));
      return result;
    } finally {
      this.#finished();
    }
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

  end(): void {
    if (this.#over === undefined) this.#close(new Suspension([...this.#waiting.keys()]));
  }

  #wait(key: string, request: InputRequest): Promise<InputResponse> {
    const { signal } = this.#call.request;
    if (this.#waiting.size === 0) signal.addEventListener('abort', this.#cancelled, { once: true });
    this.#turn ??= setTimeout(this.#turned, 0);
    return new Promise((_, reject) => {
      this.#waiting.set(key, { request, reject });
    });
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
    this.#call.suspend(suspension);
    this.#close(suspension);
  }

  #fail(error: TypeError): TypeError {
    this.#over = error;
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
    for (const waiting of open) waiting.reject(reason);
  }
}

function asJson(key: string, request: InputRequest): InputRequest {
  try {
    return JSON.parse(JSON.stringify(request)) as InputRequest;
  } catch (cause) {
    throw new TypeError(`The input request ${JSON.stringify(key)} must be JSON.`, { cause });
  }
}
