import type { EventStore, StoredEvent, StreamKey } from '../src/server/streams/event-store.js';
import { MemoryEventStore } from '../src/server/streams/memory-event-store.js';

/** An asynchronous event store: every call waits until a test releases it. */
export class SlowEventStore implements EventStore {
  readonly kept = new MemoryEventStore();
  readonly #waiting: (() => void)[] = [];

  async append(key: StreamKey, event: StoredEvent): Promise<void> {
    await this.#turn();
    this.kept.append(key, event);
  }

  async after(...given: Parameters<EventStore['after']>): Promise<readonly StoredEvent[] | undefined> {
    await this.#turn();
    return this.kept.after(...given);
  }

  forget(session: string): void {
    this.kept.forget(session);
  }

  /** Number of waiting calls. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Releases the call that has waited longest. */
  async step(): Promise<void> {
    this.#waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Releases calls until none waits. */
  async run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.step();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** An event store with one method that fails. */
export class BrokenEventStore implements EventStore {
  readonly #kept = new MemoryEventStore();
  readonly #broken: keyof EventStore;
  readonly #later: boolean;

  /** @param later - rejects instead of throwing. */
  constructor(broken: keyof EventStore, later: boolean) {
    this.#broken = broken;
    this.#later = later;
  }

  append(...given: Parameters<EventStore['append']>): ReturnType<EventStore['append']> {
    return this.#fails('append') ?? this.#kept.append(...given);
  }

  after(...given: Parameters<EventStore['after']>): ReturnType<EventStore['after']> {
    return this.#fails('after') ?? this.#kept.after(...given);
  }

  forget(...given: Parameters<EventStore['forget']>): ReturnType<EventStore['forget']> {
    return this.#fails('forget') ?? this.#kept.forget(...given);
  }

  #fails(method: keyof EventStore): Promise<never> | undefined {
    if (this.#broken !== method) return undefined;
    const error = new Error('the event store is down');
    if (this.#later) return Promise.reject(error);
    throw error;
  }
}
