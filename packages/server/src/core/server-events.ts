import type { EventPort, ServerEvent } from '@tenon/mcp-protocol';

/** Receives what a server reports of its work. */
export type ServerEventListener = (event: ServerEvent) => void;

/** Events that wait for the listeners. */
const mostWaiting = 10_000;

/** The events of one server. Listeners are called after the work that an event tells of, several events at once. */
export class ServerEvents implements EventPort {
  readonly #listeners = new Set<ServerEventListener>();
  #waiting: ServerEvent[] = [];
  #dropped = 0;
  #isDue = false;
  #onActive: (isActive: boolean) => void = () => {};

  get active(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: ServerEvent): void {
    if (!this.active) return;
    if (this.#waiting.length >= mostWaiting) this.#dropped++;
    else this.#waiting.push(event);
    if (this.#isDue) return;
    this.#isDue = true;
    soon(() => this.#deliver());
  }

  /** Adds a listener; its errors are ignored. Returns a function that removes it. */
  add(listener: ServerEventListener): () => void {
    this.#listeners.add(listener);
    this.#onActive(this.active);
    return () => {
      this.#listeners.delete(listener);
      this.#onActive(this.active);
    };
  }

  /** Calls a function now and whenever the first listener comes or the last one goes. */
  onActive(changed: (isActive: boolean) => void): void {
    this.#onActive = changed;
    changed(this.active);
  }

  #deliver(): void {
    this.#isDue = false;
    const events = this.#waiting;
    this.#waiting = [];
    if (this.#dropped > 0) events.push({ type: 'dropped', count: this.#dropped });
    this.#dropped = 0;
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(event);
        } catch {
          // An error of the one who reports errors has no receiver.
        }
      }
    }
  }
}

/** Runs a task when the answers of this turn have been sent. */
const soon: (task: () => void) => void =
  (globalThis as { setImmediate?: (task: () => void) => void }).setImmediate ?? ((task) => setTimeout(task));
