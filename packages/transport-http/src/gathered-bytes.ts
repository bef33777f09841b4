/**
 * The bytes of one body as they arrive. Takes at most a few times the memory of the bytes sent, however small the chunks
 * are: a list of chunks would take a hundred times as much if a peer sends single bytes.
 */
export class GatheredBytes {
  #bytes: Uint8Array | undefined;
  #size = 0;
  /** False while the buffer is the first chunk, which is not copied and must not be written to. */
  #owned = false;
  readonly #announced: number;

  /** @param announced - bytes that the peer announced in Content-Length. */
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

  /** Bytes of memory in use, at most twice the bytes received. */
  get capacity(): number {
    return this.#bytes?.byteLength ?? 0;
  }

  /** All bytes so far, without a copy. */
  get bytes(): Uint8Array {
    return this.#bytes?.subarray(0, this.#size) ?? none;
  }

  #grow(bytes: Uint8Array, size: number): void {
    const doubled = Math.max(size, 2 * this.#size);
    // The announced length only ever reduces the allocation: no memory is reserved for bytes that may never arrive.
    const larger = new Uint8Array(this.#announced >= size ? Math.min(this.#announced, doubled) : doubled);
    larger.set(bytes.subarray(0, this.#size));
    this.#bytes = larger;
    this.#owned = true;
  }
}

const none = new Uint8Array(0);
