import {
  type InputRequest,
  type InputResponse,
  type LogParams,
  type ProgressParams,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { isObject } from '@tenon/mcp-protocol/internal';
import type { CallPort } from '../core/call-port.js';
import { type InputType, inputTypeOf, missingCapability } from './capabilities.js';
import { Inputs } from './inputs.js';
import { OnceSteps, type StepJournal } from './once-steps.js';
import { handlerOf, tooManyAtOnce } from './problems.js';
import { Run, type RunOptions } from './run.js';

/** The destination of progress, log messages and input requests of a detached handler. */
export interface DetachedPorts {
  /** Aborts when the work is no longer needed. There is no other limit, such as a deadline. */
  readonly signal: AbortSignal;
  /** Receives each progress report. Default: they are dropped. */
  progress?(progress: Omit<ProgressParams, 'progressToken'>): void;
  /** Receives each log message that the client's level includes, redacted. Default: they are dropped. */
  log?(message: LogParams): void;
  /**
   * Delivers an input request, and resolves with the response, an object; the same neutral `{ method, params }` in every revision.
   * Default: input requests are rejected.
   */
  input?(key: string, request: InputRequest): Promise<unknown>;
  /** Keeps the values of `once` steps, so that a later run of the same call has them. Default: they end with this run. */
  readonly steps?: StepJournal;
}

/** The part of a request that is kept after its response. */
interface DetachedCall extends CallPort {
  finished: boolean;
}

function detachedCall(call: CallPort, ports: DetachedPorts): DetachedCall {
  const { method, params, revision, from, principal, state } = call;
  const { anonymous, remoteAddress } = call.exchange.facts;
  const detached: DetachedCall = {
    ...{ method, params, revision, from, principal, state, signal: ports.signal, finished: false },
    sessionId: undefined,
    host: { conversation: undefined },
    // The other facts belong to a transport that may be gone.
    exchange: { facts: { principal: call.exchange.facts.principal, anonymous, remoteAddress } },
    meta(key) {
      const meta = params._meta as UnknownObject | undefined;
      return meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined;
    },
    progress(progress, total, message) {
      if (detached.finished) return undefined;
      ports.progress?.({
        progress,
        ...(total !== undefined && { total }),
        ...(message !== undefined && { message }),
      });
      return undefined;
    },
    notify(name, given) {
      if (!detached.finished && name === 'notifications/message') ports.log?.(given as LogParams);
      return undefined;
    },
    ask: (name) => {
      const message = `${name} cannot be sent by work that is detached from its request.`;
      return Promise.reject(new SessionError('not-in-revision', message));
    },
  };
  return detached;
}

/**
 * A run that is detached from the request that started it: the request may have been answered, and its transport may be gone. The
 * caller, the revision and the metadata stay those of the request. Input requests are sent to a port in every revision.
 */
export class DetachedRun extends Run<DetachedCall> {
  readonly history = undefined;
  readonly #ports: DetachedPorts;

  constructor(options: RunOptions, call: CallPort, ports: DetachedPorts) {
    super(options, detachedCall(call, ports));
    this.#ports = ports;
  }

  get signal(): AbortSignal {
    return this.#ports.signal;
  }

  get over(): boolean {
    return this.call.finished || this.signal.aborted;
  }

  obstacle(what: InputType): SessionError | undefined {
    if (this.#ports.input === undefined)
      return new SessionError(
        'not-in-revision',
        'Work that is detached from its request has no way to request input here.',
      );
    return missingCapability(this.call, what)?.error;
  }

  /** Runs the handler. @returns its result, or rejects with its error. */
  async handle<Result>(handler: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await this.run(handler);
    } finally {
      this.call.finished = true;
    }
  }

  protected open(): Inputs {
    const { signal, input, steps } = this.#ports;
    const most = this.options.limits.inputRequests;
    let waiting = 0;
    // The call may be over, or go on elsewhere: no step begins here any more.
    const ended = () => (signal.aborted ? signal.reason : undefined);
    return new Inputs(this.call, {
      steps: new OnceSteps({ interrupted: () => signal.aborted, ended }, new Map(), steps),
      ended,
      refusal: (_, request) =>
        waiting >= most ? tooManyAtOnce(handlerOf(this.call), most) : this.obstacle(inputTypeOf(request)),
      answer: async (key, request) => {
        waiting++;
        try {
          const response = await input?.call(this.#ports, key, request);
          if (isObject(response)) return response as object as InputResponse;
          throw new SessionError('invalid-answer', `The response to ${request.method} must be an object.`);
        } finally {
          waiting--;
        }
      },
      end: () => {},
    });
  }
}
