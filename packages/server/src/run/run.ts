import { detach, follow } from '@tenon/foundation';
import type {
  CallHistory,
  CallToolResult,
  InputRequest,
  InputResponse,
  SessionError,
  UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { IncomingRequest } from '@tenon/mcp-session';
import type { ReplayStore } from '@tenon/mcp-state/internal';
import type { RoundsBounds } from '../core/limits.js';
import type { Sealer } from '../sealing/aes-sealer.js';
import type { InputType } from './capabilities.js';
import { inputPromise, isRaised } from './input-promise.js';
import type { Inputs } from './inputs.js';
import { handlerOf, type Named } from './problems.js';
import { Unawaited } from './unawaited.js';

/** The options of the runs of all handlers of a server. */
export interface RunOptions {
  readonly limits: RoundsBounds;
  /** Seals the records of calls that end with input requests. */
  readonly sealer: Sealer;
  /** Remembers the sealed records that were used; undefined if each may be used again. */
  readonly replays?: ReplayStore | undefined;
  /** Receives problems that only the author can fix. Must not throw. */
  readonly onError: (error: unknown, where: string) => void;
  /** Passes input requests that are sent while the handler waits to extensions; undefined if none intercepts them. */
  readonly intercept?: InterceptInput | undefined;
  /** Passes detached runs to extensions; undefined if none intercepts them. */
  readonly interceptDetached?: InterceptDetached | undefined;
}

/** Runs a handler that is detached from its request through the extensions that intercept, the first outermost. */
export type InterceptDetached = (
  request: IncomingRequest,
  run: () => Promise<CallToolResult>,
) => Promise<CallToolResult>;

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
 * One run of a handler, which may run several times for one call. The kinds of runs differ in where their input requests go and where
 * their record is kept. Made per request, so a run creates nothing before its first use. Its promises may be dropped: their rejections
 * are always handled.
 */
export abstract class Run<Call extends Named = Named> {
  protected readonly options: RunOptions;
  /** The call that the handler runs for. */
  readonly call: Call;
  #inputs: Inputs | Promise<Inputs> | undefined;
  #unawaited: Unawaited | undefined;
  #returned: Promise<unknown> | undefined;

  constructor(options: RunOptions, call: Call) {
    this.options = options;
    this.call = call;
  }

  /** Aborts when the handler's result is no longer needed. */
  abstract get signal(): AbortSignal;

  /** True if the run has ended: the messages of its handler are not sent any more. */
  abstract get over(): boolean;

  /** The answers and steps of earlier runs of the handler for the same call; undefined in its first run. */
  abstract get history(): CallHistory | undefined;

  /** Returns the reason why the client cannot answer an input request of that type; undefined if it can. */
  abstract obstacle(what: InputType): SessionError | undefined;

  /** Opens the way of the input requests and steps of this run, when the handler makes the first of them. */
  protected abstract open(): Inputs | Promise<Inputs>;

  /** Makes an input request. Keys are unique within the request; it rejects for misuse and if the client cannot answer. */
  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return this.#use((inputs) => inputs.requestInput(key, request));
  }

  /** Runs a step once however often the handler runs; its value is JSON. */
  once<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    return this.#use((inputs) => inputs.once(key, step));
  }

  /** Returns the answer of an input request in a promise that may be dropped; one that is never awaited is reported. */
  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#begun().track(key, answer);
  }

  /** Runs the handler. One that returns synchronously is answered synchronously. */
  run<Result>(handler: (run: Run) => Result | Promise<Result>): Result | Promise<Result> {
    let returned: Result | Promise<Result>;
    try {
      returned = handler(this);
    } catch (error) {
      this.end(false);
      throw error;
    }
    if (!(returned instanceof Promise)) this.end(true);
    else {
      this.#returned = returned;
      if (this.#unawaited !== undefined) this.#endWith(returned);
    }
    return returned;
  }

  /** Ends the run: input requests that still wait are not needed. @param returned - false for a handler that threw or runs again. */
  protected end(returned: boolean): void {
    this.#unawaited?.end(returned && !this.signal.aborted);
    if (this.#inputs instanceof Promise)
      detach(
        this.#inputs.then((inputs) => inputs.end()),
        () => {},
      );
    else this.#inputs?.end();
  }

  /** Reports a mistake of the handler to its author. @param mistake - begins with a verb. */
  protected report(mistake: string, cause?: unknown): void {
    const { method } = this.call;
    const message = `${handlerOf(this.call)} ${mistake}.`;
    this.options.onError(new TypeError(message, cause === undefined ? undefined : { cause }), method);
  }

  #begun(): Unawaited {
    if (this.#unawaited === undefined) {
      this.#unawaited = new Unawaited((mistake, cause) => this.report(mistake, cause));
      if (this.#returned !== undefined) this.#endWith(this.#returned);
    }
    return this.#unawaited;
  }

  #endWith(returned: Promise<unknown>): void {
    follow(
      returned,
      () => this.end(true),
      () => this.end(false),
    );
  }

  /** Uses the input requests of this run: at once if their code is loaded. */
  #use<T>(use: (inputs: Inputs) => Promise<T>): Promise<T> {
    this.#begun();
    this.#inputs ??= this.open();
    const opened = this.#inputs;
    if (!(opened instanceof Promise)) return use(opened);
    return inputPromise(({ resolve, reject, raise }) => {
      const used = opened.then((inputs) => {
        this.#inputs = inputs;
        return use(inputs);
      });
      follow(used, resolve, (reason) => (isRaised(reason) ? raise(reason) : reject(reason)));
    });
  }
}

/** Returns the value of an author's function, or a promise if the value can be awaited. */
export function whenSettled<Value, Result>(
  returned: Value | PromiseLike<Value>,
  finish: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  if (returned instanceof Promise) return returned.then(finish);
  // A `then` method of another object, such as a query builder, runs when it is called.
  if (isAwaitable(returned)) return Promise.resolve(returned).then(finish);
  return finish(returned);
}

function isAwaitable<Value>(returned: Value | PromiseLike<Value>): returned is PromiseLike<Value> {
  return isObject(returned) && typeof returned.then === 'function';
}
