import { type Clock, onAbort, unlessAborted } from '@tenon/foundation';
import { SessionError } from '@tenon/mcp-protocol';
import { cancellation, type NamedCall, nameOfCall } from './call-errors.js';

/** The settings of {@link CallLimits}. */
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
export class CallLimits {
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

function overdue(name: string, total: number): string {
  return `${name} did not finish within ${total} ms; allow it more with the option "total".`;
}
