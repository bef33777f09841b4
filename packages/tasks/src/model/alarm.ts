import { type Clock, onAbort, pause } from '@tenon/foundation';

/** A wait that events end early. An event before the wait ends the next one at once. */
export class Alarm {
  readonly #clock: Clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `ms` milliseconds, once the alarm rings, or once the signal aborts. @param holds - keeps the process alive. */
  async wait(
    ms: number,
    { signal, holds = false }: { readonly signal?: AbortSignal; readonly holds?: boolean } = {},
  ): Promise<void> {
    if (!this.#rung) {
      const over = new AbortController();
      this.#wake = () => over.abort();
      const release = onAbort(signal, this.#wake);
      await pause(this.#clock, ms, { signal: over.signal, holds });
      release();
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
