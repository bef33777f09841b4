/** The limits of a {@link ByteBudget}. */
export interface ByteBounds {
  /** Bytes of one address. */
  readonly perAddress: number;
  /** Bytes in all. */
  readonly total: number;
}

/**
 * Counts the bytes that are buffered for clients, by address and in total. Above a limit the holder with the most bytes is
 * cut off: a holder of the address that exceeds its limit, or of the address with the most bytes. The only holder of an
 * address is never cut off for the limit of the address, and the only holder of all is never cut off: one message has its
 * own limit elsewhere.
 */
export class ByteBudget {
  readonly #bounds: ByteBounds;
  readonly #holders = new Set<ByteHolder>();
  readonly #addresses = new Map<string, number>();
  #held = 0;

  constructor(bounds: ByteBounds) {
    this.#bounds = bounds;
  }

  /** Bytes held in total. */
  get held(): number {
    return this.#held;
  }

  /** Bytes held for one address. */
  heldFor(address: string): number {
    return this.#addresses.get(address) ?? 0;
  }

  /**
   * Makes a holder with no bytes.
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

  /** Returns the holder to cut off first, of one address or of all, and the number of holders. */
  #heaviest(address: string | undefined): { heaviest: ByteHolder | undefined; count: number } {
    let heaviest: ByteHolder | undefined;
    let most = 0;
    let count = 0;
    for (const holder of this.#holders) {
      if (address !== undefined && holder.address !== address) continue;
      count++;
      // Many small holders of one address count as their sum.
      const sum = holder.address === undefined ? holder.held : this.heldFor(holder.address);
      if (heaviest === undefined || sum > most || (sum === most && holder.held > heaviest.held)) {
        heaviest = holder;
        most = sum;
      }
    }
    return { heaviest, count };
  }
}

/** An owner of bytes in a {@link ByteBudget}, such as a connection or the body of a request. */
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

  /** Sets the address for which bytes are held. Has no effect while some are held. */
  move(address: string | undefined): void {
    if (this.#held === 0) this.#address = address;
  }

  /** Sets the number of bytes held now. May cut off this holder or another one. */
  hold(bytes: number): void {
    const change = bytes - this.#held;
    if (change === 0) return;
    this.#held = bytes;
    this.#budget.count(this, change);
  }

  /** Frees all bytes, and ends the connection or request they were held for. */
  cut(): void {
    this.#cut();
    this.hold(0);
  }
}
