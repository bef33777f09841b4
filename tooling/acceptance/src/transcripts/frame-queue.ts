/** Milliseconds to wait for a frame. */
const patience = 10_000;

/** A queue of received frames, with a wait for the next one. */
export class FrameQueue<T = unknown> {
  readonly #frames: T[] = [];
  #waiting: ((frame: T | undefined) => void) | undefined;
  #over = false;

  put(frame: T): void {
    if (this.#waiting === undefined) this.#frames.push(frame);
    else this.#waiting(frame);
  }

  /** Marks the end of the frames. */
  end(): void {
    this.#over = true;
    this.#waiting?.(undefined);
  }

  /** Returns the next frame; undefined if no more arrive, or none arrived in time. */
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

  /** Returns the next frame if it has arrived, without removing it. */
  peek(): T | undefined {
    return this.#frames[0];
  }

  /** Removes the frame {@link peek} returns. */
  skip(): void {
    this.#frames.shift();
  }

  /** Returns the frames that were not read. */
  rest(): readonly T[] {
    return this.#frames.splice(0);
  }
}
