/** One piece of work that several wait for. When nobody waits for it any more it is given up. */
export class SharedTask<T> {
  readonly #controller = new AbortController();
  readonly #outcome: Promise<T>;
  #waiting = 0;

  /** @param run - begins soon; its signal aborts when it is given up. */
  constructor(run: (signal: AbortSignal) => Promise<T>) {
    const { signal } = this.#controller;
    const givenUp = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Not before whoever makes this knows of it.
    const work = Promise.resolve().then(() => run(signal));
    // The work may not heed the signal.
    this.#outcome = Promise.race([work, givenUp]);
    // Each who waits hears of a failure; it may be that nobody does.
    this.#outcome.catch(() => {});
  }

  /** True once nobody waits for it, or it was told to end: it must not be joined any more. */
  get givenUp(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Gives it up, whoever waits: they hear the reason, at once. */
  giveUp(reason: unknown): void {
    this.#controller.abort(reason);
  }

  /** Waits for the outcome, or until the signal aborts: then it rejects with its reason. */
  async join(signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (signal === undefined) {
      this.#waiting++;
      return this.#outcome;
    }
    this.#waiting++;
    let leave: (() => void) | undefined;
    const left = new Promise<never>((_, reject) => {
      leave = () => {
        reject(signal.reason);
        if (--this.#waiting === 0) this.#controller.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
    });
    try {
      return await Promise.race([this.#outcome, left]);
    } finally {
      if (leave !== undefined) signal.removeEventListener('abort', leave);
    }
  }
}
