import { type Clock, onAbort, unlessAborted } from '@tenon/foundation';
import { type CallToolParams, SessionError, type Tool, type UnknownObject } from '@tenon/mcp-protocol';
import type { Session } from '../session/session.js';
import type { CallOptions } from './call-options.js';

/** The method and params of a call. */
export interface NamedCall {
  readonly method: string;
  readonly params: object;
  /** Ends the progress that goes on after the first answer. */
  progress?: AbortController;
}

/** The name of the call in errors: its method, and the tool, prompt or resource. */
export function nameOfCall({ method, params }: NamedCall): string {
  const { name, uri } = params as { readonly name?: unknown; readonly uri?: unknown };
  const subject = typeof name === 'string' ? name : uri;
  return typeof subject === 'string' ? `${method} ${subject.slice(0, 128)}` : method;
}

/** A call with a result that may have the result type of an extension. */
export interface OpenCall extends NamedCall {
  readonly options: CallOptions | undefined;
  readonly session: Session;
  readonly whole: WholeCall;
}

/** Returns final results for the results that extensions handle. */
export interface OpenResults {
  /** Returns the final result of a call: the given one, unless an extension handles it. */
  final(result: UnknownObject, call: OpenCall): Promise<UnknownObject>;
  /** Passes the result of a call that was cancelled before its answer to the extension that handles it. */
  abandon(result: UnknownObject, call: Pick<OpenCall, 'method' | 'params' | 'session' | 'options'>): void;
}

/** Changes the params of tool calls before they are sent. */
export interface CallPreparation {
  /** Returns the params to send. May throw. */
  prepare(
    params: CallToolParams,
    call: { readonly options: CallOptions | undefined; readonly session: Session },
  ): CallToolParams;
  /** True if the tool is among the stored ones. */
  knows(name: string): boolean;
  /** Stores the tools of a page. */
  remember(tools: readonly Tool[]): void;
  /** Drops all: the server's tools have changed. */
  forget(): void;
}

/** The limits of one call with all its requests. */
export interface CallBounds {
  readonly clock: Clock;
  readonly call: NamedCall;
  /** Milliseconds allowed in total. */
  readonly total: number;
  /** The deadline, by the clock. */
  readonly deadline: number;
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** The controllers that stop the running calls; the reason is the error of the call. */
  readonly running: Set<AbortController>;
}

/**
 * One call that its first request did not settle: repeated requests, the waits between them, and the handlers of its
 * input requests end with one signal. Creates nothing before it begins.
 */
export class WholeCall {
  readonly #bounds: CallBounds;
  #stop: AbortController | undefined;
  #disarm: (() => void) | undefined;
  #release: (() => void) | undefined;
  #unlimited = false;

  constructor(bounds: CallBounds) {
    this.#bounds = bounds;
  }

  /** Starts the time limit. The reason of this controller is the error of the call. */
  begin(): AbortController {
    if (this.#stop !== undefined) return this.#stop;
    const { clock, call, total, deadline, signal, running } = this.#bounds;
    const stop = new AbortController();
    const forget = onAbort(signal, () => stop.abort(cancellation(nameOfCall(call), signal?.reason)));
    if (!this.#unlimited)
      this.#disarm = clock.schedule(
        () => stop.abort(new SessionError('timeout', overdue(nameOfCall(call), total))),
        Math.max(0, deadline - clock.now()),
        true,
      );
    running.add(stop);
    this.#release = () => {
      this.#disarm?.();
      forget();
      running.delete(stop);
    };
    this.#stop = stop;
    return stop;
  }

  /** Removes the time limit. */
  unlimit(): void {
    this.#unlimited = true;
    this.#disarm?.();
  }

  /** Runs a task for the call. Rejects as soon as the call has ended, even if the task ignores the signal. */
  async within<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.begin();
    signal.throwIfAborted();
    return unlessAborted(task(signal), signal);
  }

  /** Returns the error of the call for the error of one of its tasks. */
  errorFor(error: unknown): unknown {
    return this.#stop?.signal.aborted ? this.#stop.signal.reason : error;
  }

  end(): void {
    this.#bounds.call.progress?.abort();
    this.#release?.();
  }
}

/** Returns the error of a call that its caller has cancelled. */
export function cancellation(name: string, cause: unknown): SessionError {
  return new SessionError('cancelled', `${name} was cancelled by its caller.`, { cause });
}

function overdue(name: string, total: number): string {
  return `${name} did not finish within ${total} ms; allow it more with the option "total".`;
}
