import {
  type InputRequest,
  type InputResponse,
  type LogParams,
  type ProgressParams,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { follow, isObject } from '@tenon/mcp-protocol/internal';
import type { Definition } from '../context/definition.js';
import { type InputType, inputTypeOf, missingCapability } from './capabilities.js';
import { handlerOf, reportOf } from './handler-name.js';
import type { InputHost, InputRequester } from './input-requester.js';
import { duplicateKey, inputRequestInsideOnce, keyProblem, tooManyAtOnce } from './keys.js';
import { OnceSteps } from './once-steps.js';
import { inputPromise } from './request-promise.js';
import { Unawaited } from './unawaited.js';
import type { StepJournal } from './step-journal.js';
import { Context } from '../context/context.js';
import type { CallPort } from '../core/context-ports.js';

/** The destination of progress, log messages and input requests of a detached handler. */
export interface DetachedPorts {
  /** Aborts when the work is no longer needed. There is no other limit, such as a deadline. */
  readonly signal: AbortSignal;
  /** Receives each progress report. Default: they are dropped. */
  progress?(progress: Omit<ProgressParams, 'progressToken'>): void;
  /** Receives each log message that the client's level includes, redacted. Default: they are dropped. */
  log?(message: LogParams): void;
  /**
   * Delivers an input request, and resolves with the response; the same neutral `{ method, params }` in every revision. Default:
   * input requests are rejected.
   */
  input?(key: string, request: InputRequest): Promise<InputResponse>;
  /** Keeps the values of `once` steps, so that a later run of the same call has them. Default: they end with this run. */
  readonly steps?: StepJournal;
}

/**
 * Runs a handler detached from the request that started it: the request may have been answered, and its transport may be gone.
 * The caller, the revision and the metadata stay those of the request.
 * @returns the handler's result, or rejects with its error.
 */
export async function runDetached<Result>(
  definition: Definition,
  { call, ports }: { readonly call: CallPort; readonly ports: DetachedPorts },
  handle: (ctx: Context) => Result | Promise<Result>,
): Promise<Result> {
  const detached = new DetachedCall(call, ports);
  const run = new DetachedRun(definition, detached, ports);
  let returned = false;
  try {
    const result = await handle(new Context(definition, detached, run));
    returned = true;
    return result;
  } finally {
    detached.finished = true;
    run.end(returned);
  }
}

/** The part of a request that is kept after its response. */
class DetachedCall implements CallPort {
  readonly method: string;
  readonly params: UnknownObject;
  readonly revision: CallPort['revision'];
  readonly from: CallPort['from'];
  readonly principal: CallPort['principal'];
  readonly state: object;
  readonly signal: AbortSignal;
  readonly host: CallPort['host'] = { conversation: undefined };
  readonly exchange: CallPort['exchange'];
  finished = false;
  readonly #ports: DetachedPorts;

  constructor(call: CallPort, ports: DetachedPorts) {
    const { principal, anonymous, remoteAddress } = call.exchange.facts;
    this.method = call.method;
    this.params = call.params;
    this.revision = call.revision;
    this.from = call.from;
    this.principal = call.principal;
    this.state = call.state;
    this.signal = ports.signal;
    // The other facts belong to a transport that may be gone.
    this.exchange = {
      facts: {
        ...(principal !== undefined && { principal }),
        ...(anonymous !== undefined && { anonymous }),
        ...(remoteAddress !== undefined && { remoteAddress }),
      },
    };
    this.#ports = ports;
  }

  meta(key: string): unknown {
    const meta = this.params._meta as UnknownObject | undefined;
    return meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
  }

  progress(progress: number, total?: number, message?: string): undefined {
    if (this.finished) return;
    this.#ports.progress?.({
      progress,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }

  notify: CallPort['notify'] = (method, params) => {
    if (!this.finished && method === 'notifications/message') this.#ports.log?.(params as LogParams);
    return undefined;
  };

  ask: CallPort['ask'] = (method) => {
    const message = `${method} cannot be sent by work that is detached from its request.`;
    return Promise.reject(new SessionError('not-in-revision', message));
  };
}

/** One detached run of a handler: its input requests are sent to a port in every revision. */
class DetachedRun implements InputHost, InputRequester {
  readonly signal: AbortSignal;
  readonly history = undefined;
  readonly #call: DetachedCall;
  readonly #ports: DetachedPorts;
  readonly #limits: Definition['limits'];
  readonly #unawaited: Unawaited;
  readonly #requested = new Set<string>();
  readonly #steps: OnceSteps;
  #waiting = 0;

  constructor({ onError, limits }: Definition, call: DetachedCall, ports: DetachedPorts) {
    this.#call = call;
    this.#ports = ports;
    this.#limits = limits;
    this.signal = ports.signal;
    this.#unawaited = new Unawaited(reportOf(call, onError));
    this.#steps = new OnceSteps({ interrupted: () => this.signal.aborted }, new Map(), ports.steps);
  }

  get over(): boolean {
    return this.#call.finished || this.signal.aborted;
  }

  inputRequester(): InputRequester {
    return this;
  }

  obstacle(what: InputType): SessionError | undefined {
    if (this.#ports.input === undefined)
      return new SessionError(
        'not-in-revision',
        'Work that is detached from its request has no way to request input here.',
      );
    return missingCapability(this.#call, what)?.error;
  }

  requestInput(key: string, request: InputRequest): Promise<InputResponse> {
    return inputPromise(({ resolve, raise }) => {
      const refusal = this.#refusal(key, request);
      if (refusal !== undefined) return raise(refusal);
      this.#requested.add(key);
      this.#waiting++;
      const settled = () => this.#waiting--;
      const answered = this.#answer(key, request);
      follow(answered, settled, settled);
      follow(answered, resolve, raise);
    });
  }

  once<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    // The call may be over, or go on elsewhere: no step begins here any more.
    if (this.signal.aborted) return inputPromise(({ raise }) => raise(this.signal.reason));
    return this.#steps.run(key, step);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /** @param returned - false for a handler that threw. */
  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.signal.aborted);
  }

  async #answer(key: string, request: InputRequest): Promise<InputResponse> {
    const response = await this.#ports.input?.(key, request);
    if (isObject(response)) return response;
    throw new SessionError('invalid-answer', `The response to ${request.method} must be an object.`);
  }

  #refusal(key: string, request: InputRequest): unknown {
    if (this.signal.aborted) return this.signal.reason;
    const problem = keyProblem('input request', key);
    if (problem !== undefined) return problem;
    const handler = handlerOf(this.#call);
    if (this.#requested.has(key)) return duplicateKey(handler, key);
    const step = this.#steps.entered;
    if (step !== undefined) return inputRequestInsideOnce(key, step);
    const { inputRequests } = this.#limits;
    if (this.#waiting >= inputRequests) return tooManyAtOnce(handler, inputRequests);
    return this.obstacle(inputTypeOf(request));
  }
}
