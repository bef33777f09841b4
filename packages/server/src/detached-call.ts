import {
  type InputRequest,
  type InputResponse,
  type LogParams,
  type ProgressParams,
  SessionError,
  type UnknownObject,
} from '@tenon/mcp-protocol';
import { follow } from '@tenon/mcp-protocol/internal';
import { askPromise } from './asking/ask-promise.js';
import type { Asker, AskingHost } from './asking/asker.js';
import { type Asking, kindOf, missingCapability } from './asking/capabilities.js';
import { handlerOf, reportOf } from './asking/handler-name.js';
import { askInsideOnce, duplicateKey, keyFlaw, tooManyAtOnce } from './asking/keys.js';
import { OnceSteps } from './asking/once-steps.js';
import { Unawaited } from './asking/unawaited.js';
import { Context } from './context.js';
import type { CallPort } from './context-ports.js';
import type { Definition } from './definition.js';

/** Where a handler that is detached from its request reports to, and how it requests input. */
export interface DetachedPorts {
  /** Aborts when the work is no longer wanted. Nothing else stops it: no deadline holds. */
  readonly signal: AbortSignal;
  /** Receives each progress report. Default: they are dropped. */
  progress?(progress: Omit<ProgressParams, 'progressToken'>): void;
  /** Receives each log message that the client's level admits, redacted. Default: they are dropped. */
  log?(message: LogParams): void;
  /** Delivers an input request, and resolves with the response. Default: input requests are refused. */
  input?(key: string, request: InputRequest): Promise<InputResponse>;
}

/**
 * Runs a handler detached from the request that started it: the request may have been answered, and its transport may be gone.
 * The caller, the revision and the metadata stay those of the request.
 * @returns what the handler returns or throws.
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

/** What is kept of a request beyond its answer. */
class DetachedCall implements CallPort {
  readonly method: string;
  readonly params: UnknownObject;
  readonly revision: CallPort['revision'];
  readonly from: CallPort['from'];
  readonly principal: CallPort['principal'];
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
    this.signal = ports.signal;
    // The rest of the facts belongs to a transport that may be gone.
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

/** One detached run of a handler: its input requests go to a port, whatever the revision. */
class DetachedRun implements AskingHost, Asker {
  readonly signal: AbortSignal;
  readonly #call: DetachedCall;
  readonly #ports: DetachedPorts;
  readonly #limits: Definition['limits'];
  readonly #unawaited: Unawaited;
  readonly #asked = new Set<string>();
  readonly #steps: OnceSteps;
  #waiting = 0;

  constructor({ onError, limits }: Definition, call: DetachedCall, ports: DetachedPorts) {
    this.#call = call;
    this.#ports = ports;
    this.#limits = limits;
    this.signal = ports.signal;
    this.#unawaited = new Unawaited(reportOf(call, onError));
    this.#steps = new OnceSteps({ interrupted: () => this.signal.aborted });
  }

  get over(): boolean {
    return this.#call.finished;
  }

  asker(): Asker {
    return this;
  }

  obstacle(what: Asking): SessionError | undefined {
    if (this.#ports.input === undefined)
      return new SessionError(
        'not-in-revision',
        'Work that is detached from its request has no way to request input here.',
      );
    return missingCapability(this.#call, what)?.error;
  }

  ask(key: string, request: InputRequest): Promise<InputResponse> {
    return askPromise(({ resolve, raise }) => {
      const refusal = this.#refusal(key, request);
      if (refusal !== undefined) return raise(refusal);
      this.#asked.add(key);
      this.#waiting++;
      const settled = () => this.#waiting--;
      const answered = (async () => this.#ports.input?.(key, request) as Promise<InputResponse>)();
      follow(answered, settled, settled);
      follow(answered, resolve, raise);
    });
  }

  once<T>(key: string, step: () => T | Promise<T>): Promise<T> {
    return this.#steps.run(key, step);
  }

  track<T>(key: unknown, answer: Promise<T>): Promise<T> {
    return this.#unawaited.track(key, answer);
  }

  /** @param returned - false for a handler that threw. */
  end(returned: boolean): void {
    this.#unawaited.end(returned && !this.signal.aborted);
  }

  #refusal(key: string, request: InputRequest): unknown {
    if (this.signal.aborted) return this.signal.reason;
    const problem = keyFlaw('ask', key);
    if (problem !== undefined) return problem;
    const handler = handlerOf(this.#call);
    if (this.#asked.has(key)) return duplicateKey(handler, key);
    const step = this.#steps.entered;
    if (step !== undefined) return askInsideOnce(key, step);
    const { asks } = this.#limits;
    if (this.#waiting >= asks) return tooManyAtOnce(handler, asks);
    return this.obstacle(kindOf(request));
  }
}
