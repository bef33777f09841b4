import type { RequestId } from '@tenon/mcp-protocol';

const places = 256;

/**
 * A map by request id, for requests that come and go. Ids that count up have a slot of their own.
 * A Map that is filled and emptied all the time replaces its internal table again and again, and the tables are linked: once
 * one of them is in the old generation, everything that was in them is kept until a full garbage collection.
 */
export class IdTable<Value> {
  readonly #ids = new Array<RequestId | undefined>(places).fill(undefined);
  readonly #values = new Array<Value | undefined>(places).fill(undefined);
  /** Values with a string id, or with a slot that was taken. */
  readonly #others = new Map<RequestId, Value>();

  get(id: RequestId): Value | undefined {
    const place = typeof id === 'number' ? id & (places - 1) : -1;
    return this.#ids[place] === id ? this.#values[place] : this.#others.get(id);
  }

  set(id: RequestId, value: Value): void {
    const place = typeof id === 'number' ? id & (places - 1) : -1;
    const holder = place < 0 ? null : this.#ids[place];
    if (holder !== id && (holder !== undefined || this.#others.has(id))) {
      this.#others.set(id, value);
      return;
    }
    this.#ids[place] = id;
    this.#values[place] = value;
  }

  delete(id: RequestId): void {
    const place = typeof id === 'number' ? id & (places - 1) : -1;
    if (this.#ids[place] !== id) {
      this.#others.delete(id);
      return;
    }
    this.#ids[place] = undefined;
    this.#values[place] = undefined;
  }
}
