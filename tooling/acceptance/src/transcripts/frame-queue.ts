/** Milliseconds a frame may take to come. */
const patience = 10_000;

/** Frames in the order of their arrival, for whoever waits for the next one. */
export class FrameQueue<T = unknown> {
  readonly #frames: T[] = [];
  #waiting: ((frame: T | undefined) => void) | undefined;
  #over = false;

  put(frame: T): void {
    if (this.#waiting === undefined) this.#frames.push(frame);
    else this.#waiting(frame);
  }

  /** No more frames will come. */
  end(): void {
    this.#over = true;
    this.#waiting?.(undefined);
  }

  /** The next frame; undefined when none comes any more, or none came in time. */
  next(): Promise<T | undefined> {
    if (this.#frames.length > 0 || this.#over) return Promise.resolve(this.#frames.shift());
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting?.(undefined), patience);
      this.#waiting = (frame) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(frame);
      };
    });
  }

  /** The next frame if it is there already; it stays. */
  peek(): T | undefined {
    return this.#frames[0];
  }

  /** Takes out what {@link peek} gives. */
  skip(): void {
    this.#frames.shift();
  }

  /** What nobody waited for. */
  rest(): readonly T[] {
    return this.#frames.splice(0);
  }
}
