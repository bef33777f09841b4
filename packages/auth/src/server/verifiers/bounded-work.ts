/** Does so many things at a time; some more wait for their turn. */
export class BoundedWork {
  readonly #most: number;
  readonly #mostWaiting: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bounds: { readonly most: number; readonly mostWaiting: number }) {
    this.#most = bounds.most;
    this.#mostWaiting = bounds.mostWaiting;
  }

  /** Whether whoever came now would be turned away. */
  get isFull(): boolean {
    return this.#running >= this.#most && this.#waiting.length >= this.#mostWaiting;
  }

  /** Runs a task when it is its turn, and gives what it gives. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#most) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes to the next in line, without being free in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
