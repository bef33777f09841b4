/** Milliseconds a frame may take to come. */
const patience = 10_000;

/** Frames in the order of their arrival, for whoever waits for the next one. */
export class FrameQueue {
  readonly #frames: unknown[] = [];
  #waiting: ((frame: unknown) => void) | undefined;
  #over = false;

  put(frame: unknown): void {
    if (this.#waiting === undefined) this.#frames.push(frame);
    else this.#waiting(frame);
  }

  /** No more frames will come. */
  end(): void {
    this.#over = true;
    this.#waiting?.(undefined);
  }

  /** The next frame; undefined when none comes any more, or none came in time. */
  next(): Promise<unknown> {
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

  /** What nobody waited for. */
  rest(): readonly unknown[] {
    return this.#frames.splice(0);
  }
}
