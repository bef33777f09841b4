import { unlessAborted } from '@tenon/foundation';

/** A task that several callers wait for. It is aborted when no caller waits any more. */
export class SharedTask<T> {
  readonly #controller = new AbortController();
  readonly #outcome: Promise<T>;
  #waiting = 0;

  /** @param run - called soon; its signal aborts with the task. */
  constructor(run: (signal: AbortSignal) => Promise<T>) {
    const { signal } = this.#controller;
    // Later, so that the caller has the instance before `run` uses it.
    const work = Promise.resolve().then(() => run(signal));
    // The task may ignore the signal.
    this.#outcome = unlessAborted(work, signal);
    // Each caller receives the rejection; without callers it must not count as unhandled.
    this.#outcome.catch(() => {});
  }

  /** True after an abort: do not join the task any more. */
  get isAborted(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Aborts the task: all callers reject with the reason at once. */
  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Waits for the result. If the signal aborts first, rejects with its reason. */
  async join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    this.#waiting++;
    return unlessAborted(this.#outcome, signal, (reason) => {
      if (--this.#waiting === 0) this.#controller.abort(reason);
      return reason;
    });
  }
}
