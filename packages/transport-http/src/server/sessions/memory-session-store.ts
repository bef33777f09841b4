import type { Clock, SessionRecord, SessionStore } from '@tenon/mcp-protocol';

interface Entry {
  readonly record: SessionRecord;
  expiresAt: number;
}

/**
 * Keeps sessions in memory, for several endpoints of one process and for tests. Past its bound the session that was
 * used longest ago is forgotten.
 */
export class MemorySessionStore implements SessionStore {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limit: number;
  /** In the order in which they were last used. */
  readonly #entries = new Map<string, Entry>();

  /** @param limit - sessions at the same time; 10,000 by default. */
  constructor(clock: Pick<Clock, 'now'> = performance, limit = 10_000) {
    this.#clock = clock;
    this.#limit = limit;
  }

  put(id: string, record: SessionRecord, ttl: number): void {
    this.#enter(id, { record, expiresAt: this.#clock.now() + ttl });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }

  get(id: string): SessionRecord | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.expiresAt > this.#clock.now()) return entry?.record;
    this.#entries.delete(id);
    return undefined;
  }

  touch(id: string, ttl: number): boolean {
    const record = this.get(id);
    if (record !== undefined) this.#enter(id, { record, expiresAt: this.#clock.now() + ttl });
    return record !== undefined;
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  #enter(id: string, entry: Entry): void {
    this.#entries.delete(id);
    this.#entries.set(id, entry);
  }
}
