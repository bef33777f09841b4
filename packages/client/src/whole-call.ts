import { SessionError, type UnknownObject } from '@tenon/mcp-protocol';
import type { Clock } from '@tenon/mcp-session';
import type { CallOptions } from './call-options.js';
import type { Session } from './session.js';

/** A call as its method and params name it. */
export interface NamedCall {
  readonly method: string;
  readonly params: object;
}

/** The call as errors name it: its method, and the tool, prompt or resource it is about. */
export function nameOfCall({ method, params }: NamedCall): string {
  const { name, uri } = params as { readonly name?: unknown; readonly uri?: unknown };
  const subject = typeof name === 'string' ? name : uri;
  return typeof subject === 'string' ? `${method} ${subject.slice(0, 128)}` : method;
}

/** A call whose result may be of no result type of the core. */
export interface OpenCall extends NamedCall {
  readonly options: CallOptions | undefined;
  readonly session: Session;
  readonly whole: WholeCall;
}

/** Makes final results out of those that extensions handle. */
export interface OpenResults {
  /** The result that a call ends with: the one given, unless an extension handles it. */
  final(result: UnknownObject, call: OpenCall): Promise<UnknownObject>;
}

/** What bounds one call, however many requests are sent for it. */
export interface CallBounds {
  readonly clock: Clock;
  readonly call: NamedCall;
  /** Milliseconds allowed in all. */
  readonly total: number;
  /** When they are over, by the clock. */
  readonly deadline: number;
  /** The caller's own signal. */
  readonly signal: AbortSignal | undefined;
  /** What stops each call that is still going on, with the error it then rejects with. */
  readonly running: Set<AbortController>;
}

/**
 * One call that its first request did not settle: the requests sent again, the waits between them, and the handlers of its
 * input requests end with one signal. Makes nothing before it is begun.
 */
export class WholeCall {
  readonly #bounds: CallBounds;
  #stop: AbortController | undefined;
  #release: (() => void) | undefined;

  constructor(bounds: CallBounds) {
    this.#bounds = bounds;
  }

  /** Begins to watch the time. The reason of this controller is what the call rejects with. */
  begin(): AbortController {
    if (this.#stop !== undefined) return this.#stop;
    const { clock, call, total, deadline, signal, running } = this.#bounds;
    const stop = new AbortController();
    const forget = follow(signal, () => stop.abort(cancellation(nameOfCall(call), signal?.reason)));
    const disarm = clock.schedule(
      () => stop.abort(new SessionError('timeout', overdue(nameOfCall(call), total))),
      Math.max(0, deadline - clock.now()),
      true,
    );
    running.add(stop);
    this.#release = () => {
      disarm();
      forget();
      running.delete(stop);
    };
    this.#stop = stop;
    return stop;
  }

  /** Runs a task for the call. Rejects as soon as the call is over, even where the task ignores the signal. */
  async within<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.begin();
    signal.throwIfAborted();
    let release = () => {};
    const over = new Promise<never>((_, reject) => {
      release = follow(signal, () => reject(signal.reason));
    });
    try {
      return await Promise.race([task(signal), over]);
    } finally {
      release();
    }
  }

  /** What the call rejects with for an error that something done for it rejected with. */
  errorFor(error: unknown): unknown {
    return this.#stop?.signal.aborted ? this.#stop.signal.reason : error;
  }

  end(): void {
    this.#release?.();
  }
}

/** Runs `task` once the signal aborts, at once if it has. Returns a function that ends the waiting. */
export function follow(signal: AbortSignal | undefined, task: () => void): () => void {
  if (signal?.aborted) task();
  signal?.addEventListener('abort', task, { once: true });
  return () => signal?.removeEventListener('abort', task);
}

function cancellation(name: string, cause: unknown): SessionError {
  return new SessionError('cancelled', `${name} was cancelled by its caller.`, { cause });
}

function overdue(name: string, total: number): string {
  return `${name} did not finish within ${total} ms; allow it more with the option "total".`;
}
