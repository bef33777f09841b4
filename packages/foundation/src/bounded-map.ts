/** A map that drops its oldest entries above a maximum. A key that is set again becomes the newest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break;
      this.delete(oldest);
    }
    return this;
  }
}
