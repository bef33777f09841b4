import { isObject } from '@tenon/mcp-protocol/internal';
import type { State } from '@tenon/mcp-state';
import { change } from '@tenon/mcp-state/internal';
import type { SessionRecord } from './session-record.js';

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
   * @param next - returns the new record, or undefined to leave it; called again if another process has changed it meanwhile.
   * @returns the record as it is now; undefined if the session has ended.
   * @throws Error if another program wrote something else under the key.
   */
  change(
    id: string,
    next: (record: SessionRecord) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    const key = keyOf(id);
    return change<SessionRecord>({ kv: this.#kv, key, ttl: () => this.#ttl }, (record) => {
      if (record === undefined) return undefined;
      if (!isObject(record)) throw new TypeError(`State: "${key}" does not contain the record of a session.`);
      return next(record) ?? record;
    });
  }
}

function keyOf(id: string): string {
  return `session/${id}/record`;
}
