/** The newest entries in order, up to a maximum; older ones are dropped. */
export class BoundedLog<T> {
  /** Always the same array: a reader that keeps it sees later entries. */
  readonly entries: T[] = [];
  readonly #most: number;

  /** @throws RangeError if the maximum is not a positive integer */
  constructor(most: number) {
    if (!Number.isSafeInteger(most) || most < 1) {
      throw new RangeError(`A bound must be a positive integer, not ${most}.`);
    }
    this.#most = most;
  }

  add(entry: T): void {
    if (this.entries.length >= this.#most) this.entries.shift();
    this.entries.push(entry);
  }
}

/** A map that drops its oldest entries beyond a maximum. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: K, value: V): this {
    if (!this.has(key) && this.size >= this.#most) {
      for (const oldest of this.keys()) {
        this.delete(oldest);
        break;
      }
    }
    return super.set(key, value);
  }
}
