/** Something that happens again and again, for one who waits for the next time. */
export class Signal {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves once it has rung since the last time; false when that takes too long. */
  heard(deadline: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = () => {
        deadline.removeEventListener('abort', settle);
        this.#wake = undefined;
        resolve(this.#rung);
        this.#rung = false;
      };
      if (this.#rung || deadline.aborted) {
        settle();
        return;
      }
      this.#wake = settle;
      deadline.addEventListener('abort', settle);
    });
  }
}
