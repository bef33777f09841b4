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
