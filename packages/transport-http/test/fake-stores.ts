import type { EventStore, SessionRecord, SessionStore, StoredEvent, StreamKey } from '@tenon/mcp-protocol';
import { MemoryEventStore } from '../src/server/streams/memory-event-store.js';

/** A store of events that takes its time: every call waits until a test lets it go on. */
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

  /** Calls that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Lets the call that waits longest go on. */
  async step(): Promise<void> {
    this.#waiting.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Lets calls go on until none waits. */
  async run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.step();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** A store of events of which one method fails. */
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

/** A store of sessions that keeps a log of what it was told. */
export class LoggingSessionStore implements SessionStore {
  readonly records = new Map<string, SessionRecord>();
  readonly log: string[] = [];
  /** Set to make the method of that name fail. */
  broken: keyof SessionStore | undefined;
  /** Set to make `get` wait. */
  gate: Promise<void> | undefined;

  put(id: string, record: SessionRecord, ttl: number): void {
    this.#note('put', ttl);
    this.records.set(id, JSON.parse(JSON.stringify(record)));
  }

  async get(id: string): Promise<SessionRecord | undefined> {
    this.#note('get');
    await this.gate;
    return this.records.get(id);
  }

  touch(id: string, ttl: number): boolean {
    this.#note('touch', ttl);
    return this.records.has(id);
  }

  delete(id: string): void {
    this.#note('delete');
    this.records.delete(id);
  }

  #note(method: keyof SessionStore, ttl?: number): void {
    this.log.push(ttl === undefined ? method : `${method} ${ttl}`);
    if (this.broken === method) throw new Error(`the session store cannot ${method}`);
  }
}
