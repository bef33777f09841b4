import type { Clock, JsonObject } from '@tenon/mcp-server';
import type { State } from '@tenon/mcp-state';
import type { PageEntry, PageStore, StoredEntry } from './page-store.js';

/**
 * A store in shared state: entries expire there, and its backend bounds their number. Owners have no share of their own. Values are
 * not encrypted.
 */
export class StatePageStore implements PageStore {
  readonly #state: State;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(state: State, clock: Pick<Clock, 'now'>) {
    this.#state = state;
    this.#clock = clock;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const stored = await this.#state.kv.get(keyOf(key));
    return stored && { value: JSON.parse(stored.value) as JsonObject, version: stored.version };
  }

  async swap(key: string, version: string | undefined, entry: PageEntry | undefined): Promise<boolean> {
    const { kv } = this.#state;
    if (entry === undefined) {
      return version === undefined
        ? (await kv.get(keyOf(key))) === undefined
        : kv.delete(keyOf(key), version);
    }
    const ttl = Math.max(1, Math.ceil(entry.expiresAt - this.#clock.now()));
    const text = JSON.stringify(entry.value);
    return (await kv.compareAndSet(keyOf(key), text, { expected: version, ttl })) !== undefined;
  }
}

function keyOf(key: string): string {
  return `page/${key}`;
}
