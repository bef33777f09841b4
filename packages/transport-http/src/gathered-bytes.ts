/**
 * The bytes of one body as they come. However small the pieces, it takes little more than what was sent: a list of them
 * would take a hundred times as much for a peer that sends single bytes.
 */
export class GatheredBytes {
  #bytes: Uint8Array | undefined;
  #size = 0;
  /** The first piece is not copied, so it must not be written to. */
  #owned = false;

  get size(): number {
    return this.#size;
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength;
    if (this.#bytes === undefined) this.#bytes = piece;
    else {
      if (!this.#owned || size > this.#bytes.byteLength) this.#grow(this.#bytes, size);
      this.#bytes.set(piece, this.#size);
    }
    this.#size = size;
  }

  /** Everything so far; shares its memory. */
  get bytes(): Uint8Array {
    return this.#bytes?.subarray(0, this.#size) ?? none;
  }

  #grow(bytes: Uint8Array, size: number): void {
    const larger = new Uint8Array(Math.max(size, 2 * this.#size));
    larger.set(bytes.subarray(0, this.#size));
    this.#bytes = larger;
    this.#owned = true;
  }
}

const none = new Uint8Array(0);
