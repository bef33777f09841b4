/** The members of one value that schemas have evaluated, for the `unevaluated` keywords. */
export class Seen {
  readonly #names = new Set<string>();
  readonly #indices = new Set<number>();
  #allNames = false;
  /** The number of evaluated members from the start of a list. */
  #items = 0;

  addName(name: string): void {
    this.#names.add(name);
  }

  addAllNames(): void {
    this.#allNames = true;
  }

  addItem(index: number): void {
    this.#indices.add(index);
  }

  addItems(upTo: number): void {
    this.#items = Math.max(this.#items, upTo);
  }

  hasName(name: string): boolean {
    return this.#allNames || this.#names.has(name);
  }

  hasItem(index: number): boolean {
    return index < this.#items || this.#indices.has(index);
  }

  /** The number of members evaluated one by one. */
  get size(): number {
    return this.#names.size + this.#indices.size;
  }

  /** Adds the members that another schema has evaluated in the same place. */
  merge(other: Seen): void {
    if (other.#allNames) this.#allNames = true;
    this.addItems(other.#items);
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#indices) this.#indices.add(index);
  }
}
