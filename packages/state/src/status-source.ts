import type { StateStatus, StatusListener } from './state.js';

/** The status of a state and its listeners, for adapters. */
export class StatusSource {
  readonly #listeners = new Set<StatusListener>();
  readonly #onError: (error: unknown) => void;
  #status: StateStatus;

  /** @param onError - receives errors that listeners throw. The other listeners are called all the same. */
  constructor(status: StateStatus, onError: (error: unknown) => void) {
    this.#status = status;
    this.#onError = onError;
  }

  get status(): StateStatus {
    return this.#status;
  }

  /** @returns a function that removes the listener. */
  add(listener: StatusListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners if the status changes. `closed` is for good, and releases them. */
  become(status: StateStatus, cause?: Error): void {
    if (this.#status === status || this.#status === 'closed') return;
    this.#status = status;
    for (const listener of [...this.#listeners]) {
      try {
        listener(status, cause);
      } catch (error) {
        this.#onError(error);
      }
    }
    if (status === 'closed') this.#listeners.clear();
  }
}
