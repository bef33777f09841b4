/** Items by size, so that one of the largest is found without a search. Sizes of items in one set differ by less than a factor of two. */
export class LargestFirst<Item extends object> {
  readonly #classes = new Map<number, Set<Item>>();
  readonly #classOf = new WeakMap<Item, number>();

  /** Records the size of an item; 0 removes it. */
  set(item: Item, size: number): void {
    const before = this.#classOf.get(item) ?? 0;
    const now = 32 - Math.clz32(size);
    if (now === before) return;
    this.#classOf.set(item, now);
    this.#classes.get(before)?.delete(item);
    if (now === 0) return;
    const alike = this.#classes.get(now);
    if (alike === undefined) this.#classes.set(now, new Set([item]));
    else alike.add(item);
  }

  /** Returns one of the largest items. */
  get first(): Item | undefined {
    for (let size = 32; size > 0; size--) {
      const [first] = this.#classes.get(size) ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }
}
