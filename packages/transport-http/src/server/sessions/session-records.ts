import { type State, StateError } from '@tenon/mcp-state';
import type { SessionRecord } from './session-record.js';

/** Attempts to change a record that another process changes at the same time. */
const attempts = 10;

/** The records of sessions in shared state. All methods reject with a StateError if the state fails. */
export class SessionRecords {
  readonly #kv: State['kv'];
  readonly #ttl: number;

  /** @param ttl - milliseconds after the last use for which a record is kept. */
  constructor({ kv }: Pick<State, 'kv'>, ttl: number) {
    this.#kv = kv;
    this.#ttl = ttl;
  }

  async put(id: string, record: SessionRecord): Promise<void> {
    await this.#kv.put(keyOf(id), JSON.stringify(record), { ttl: this.#ttl });
  }

  /** Returns the record of a session, unchecked; undefined for one that is unknown or has expired. */
  async get(id: string): Promise<unknown> {
    const found = await this.#kv.get(keyOf(id));
    return found && JSON.parse(found.value);
  }

  /** Extends the time of a session. Returns false if it has ended. */
  touch(id: string): Promise<boolean> {
    return this.#kv.touch(keyOf(id), this.#ttl);
  }

  delete(id: string): Promise<boolean> {
    return this.#kv.delete(keyOf(id));
  }

  /**
   * Changes a record.
   * @param change - returns the new record, or undefined to leave it; called again if another process has changed it meanwhile.
   * @returns the record as it is now; undefined if the session has ended.
   */
  async change(
    id: string,
    change: (record: SessionRecord) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const found = await this.#kv.get(keyOf(id));
      if (found === undefined) return undefined;
      const record = JSON.parse(found.value) as SessionRecord;
      const next = change(record);
      if (next === undefined) return record;
      const options = { expected: found.version, ttl: this.#ttl };
      if ((await this.#kv.compareAndSet(keyOf(id), JSON.stringify(next), options)) !== undefined) return next;
    }
    throw new StateError(
      'unavailable',
      'State: other processes change the record of the session all the time.',
    );
  }
}

function keyOf(id: string): string {
  return `session/${id}/record`;
}
