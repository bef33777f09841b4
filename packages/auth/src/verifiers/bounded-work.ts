/** Runs a limited number of tasks at a time; a limited number of others wait. */
export class BoundedWork {
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bounds: { readonly most: number; readonly mostWaiting: number }) {
    this.#most = bounds.most;
    this.#mostWaiting = bounds.mostWaiting;
  }

  /** True if no further task may wait. */
  get isFull(): boolean {
    return this.#running >= this.#most && this.#waiting.length >= this.#mostWaiting;
  }

  /** Runs a task as soon as fewer than the limit are running, and returns its result. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // Passes this task's place directly to the next one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
