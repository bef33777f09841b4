/** What a budget allows. */
export interface ByteBounds {
  /** Bytes of one address. */
  readonly perAddress: number;
  /** Bytes in all. */
  readonly total: number;
}

/**
 * A sum of bytes that are held for clients, by address and in all. Past a bound the holder with the most bytes is cut off: of
 * the address that is past its bound, or of the address that holds most. A holder that is the only one of its address is never
 * cut off for the bound of an address, and one that is alone is never cut off: one message is bounded elsewhere.
 */
export class ByteBudget {
  readonly #bounds: ByteBounds;
  readonly #holders = new Set<ByteHolder>();
  readonly #addresses = new Map<string, number>();
  #held = 0;

  constructor(bounds: ByteBounds) {
    this.#bounds = bounds;
  }

  /** Bytes held in all. */
  get held(): number {
    return this.#held;
  }

  /** Bytes held for one address. */
  heldFor(address: string): number {
    return this.#addresses.get(address) ?? 0;
  }

  /**
   * Makes a holder, which holds nothing yet.
   * @param cut - called when the holder is cut off. Must not throw.
   */
  holder(address: string | undefined, cut: () => void): ByteHolder {
    return new ByteHolder(this, address, cut);
  }

  /** Counts a change that a holder has made to its own number. Called by holders only. */
  count(holder: ByteHolder, change: number): void {
    const { address } = holder;
    this.#held += change;
    if (address !== undefined) {
      const held = this.heldFor(address) + change;
      if (held > 0) this.#addresses.set(address, held);
      else this.#addresses.delete(address);
    }
    if (holder.held > 0) this.#holders.add(holder);
    else this.#holders.delete(holder);
    if (change > 0) this.#hold(address);
  }

  #hold(address: string | undefined): void {
    const { perAddress, total } = this.#bounds;
    while (address !== undefined && this.heldFor(address) > perAddress) {
      const { heaviest, count } = this.#heaviest(address);
      if (heaviest === undefined || count === 1) break;
      heaviest.cut();
    }
    while (this.#held > total && this.#holders.size > 1) this.#heaviest(undefined).heaviest?.cut();
  }

  /** The holder to cut off first, of one address or of all, and how many there are. */
  #heaviest(address: string | undefined): { heaviest: ByteHolder | undefined; count: number } {
    let heaviest: ByteHolder | undefined;
    let most = 0;
    let count = 0;
    for (const holder of this.#holders) {
      if (address !== undefined && holder.address !== address) continue;
      count++;
      // Many small ones of one address weigh as much as their sum.
      const sum = holder.address === undefined ? holder.held : this.heldFor(holder.address);
      if (heaviest === undefined || sum > most || (sum === most && holder.held > heaviest.held)) {
        heaviest = holder;
        most = sum;
      }
    }
    return { heaviest, count };
  }
}

/** Something for which bytes of a {@link ByteBudget} are held, such as a connection or the body of a request. */
export class ByteHolder {
  readonly #budget: ByteBudget;
  readonly #cut: () => void;
  #address: string | undefined;
  #held = 0;

  constructor(budget: ByteBudget, address: string | undefined, cut: () => void) {
    this.#budget = budget;
    this.#address = address;
    this.#cut = cut;
  }

  get address(): string | undefined {
    return this.#address;
  }

  get held(): number {
    return this.#held;
  }

  /** Says for which address bytes are held from now on; while some are held it stays the same. */
  move(address: string | undefined): void {
    if (this.#held === 0) this.#address = address;
  }

  /** Says how many bytes are held now. May cut this holder off, or another. */
  hold(bytes: number): void {
    const change = bytes - this.#held;
    if (change === 0) return;
    this.#held = bytes;
    this.#budget.count(this, change);
  }

  /** Frees everything, and ends what it was held for. */
  cut(): void {
    this.#cut();
    this.hold(0);
  }
}
