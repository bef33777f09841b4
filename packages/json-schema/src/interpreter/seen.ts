/** Which members of one value some schema has looked at, for the `unevaluated` keywords. */
export class Seen {
  readonly #names = new Set<string>();
  readonly #indices = new Set<number>();
  #allNames = false;
  /** Members of a list that were looked at from its start on. */
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

  /** Members that were looked at one by one. */
  get size(): number {
    return this.#names.size + this.#indices.size;
  }

  /** Adds what another schema in the same place has looked at. */
  merge(other: Seen): void {
    if (other.#allNames) this.#allNames = true;
    this.addItems(other.#items);
    for (const name of other.#names) this.#names.add(name);
    for (const index of other.#indices) this.#indices.add(index);
  }
}
