/** The newest entries, in order, up to a bound; older ones are forgotten. */
export class BoundedLog<T> {
  /** Never replaced, so that whoever holds it sees what comes. */
  readonly entries: T[] = [];
  readonly #most: number;

  /** @throws RangeError for a bound that is not a positive integer. */
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
