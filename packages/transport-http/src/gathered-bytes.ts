/**
 * The bytes of one body as they come. However small the pieces, it takes a few times what was sent at most: a list of
 * them would take a hundred times as much for a peer that sends single bytes.
 */
export class GatheredBytes {
  #bytes: Uint8Array | undefined;
  #size = 0;
  /** The first piece is not copied, so it must not be written to. */
  #owned = false;
  readonly #announced: number;

  /** @param announced - bytes the peer says it will send. */
  constructor(announced = 0) {
    this.#announced = announced;
  }

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

  /** Bytes of memory it takes, at most twice what was sent. */
  get capacity(): number {
    return this.#bytes?.byteLength ?? 0;
  }

  /** Everything so far; shares its memory. */
  get bytes(): Uint8Array {
    return this.#bytes?.subarray(0, this.#size) ?? none;
  }

  #grow(bytes: Uint8Array, size: number): void {
    const doubled = Math.max(size, 2 * this.#size);
    // An announcement makes it smaller, never larger: nothing is kept free for bytes that may never come.
    const larger = new Uint8Array(this.#announced >= size ? Math.min(this.#announced, doubled) : doubled);
    larger.set(bytes.subarray(0, this.#size));
    this.#bytes = larger;
    this.#owned = true;
  }
}

const none = new Uint8Array(0);
