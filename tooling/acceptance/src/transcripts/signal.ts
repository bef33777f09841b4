/** A repeated event, with a wait for the next time. */
export class Signal {
  #rung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when the event has occurred since the last wait; false if the deadline passes first. */
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
