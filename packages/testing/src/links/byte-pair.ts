import { Duplex } from 'node:stream';
import { seededRandom } from '../random.js';

/** Options of {@link bytePair}. */
export interface BytePairOptions {
  /** Maximum bytes of a piece: each write is read in pieces of 1 to this many. Default: as written. */
  readonly split?: number | undefined;
  /** Seed of the random sizes of the pieces. Default 1. */
  readonly seed?: number | undefined;
}

/** Returns two streams of bytes. Each one reads what is written to the other, and ends when the other ends. */
export function bytePair({ split, seed = 1 }: BytePairOptions = {}): [Duplex, Duplex] {
  if (split !== undefined && !(Number.isSafeInteger(split) && split >= 1)) {
    throw new RangeError(`split is the most bytes of a piece: a positive integer, not ${split}.`);
  }
  const left = new ByteEnd(split, seededRandom(seed, 1));
  const right = new ByteEnd(split, seededRandom(seed, 2));
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class ByteEnd extends Duplex {
  peer: ByteEnd = this;
  readonly #split: number | undefined;
  readonly #random: () => number;
  #wanted: (() => void) | undefined;

  constructor(split: number | undefined, random: () => number) {
    super();
    this.#split = split;
    this.#random = random;
  }

  override _read(): void {
    const go = this.#wanted;
    this.#wanted = undefined;
    go?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.peer.destroyed) {
      done(Object.assign(new Error('The other end is gone.'), { code: 'EPIPE' }));
      return;
    }
    let takesMore = true;
    for (const piece of this.#pieces(chunk)) takesMore = this.peer.push(piece);
    if (takesMore) done();
    else this.peer.#wanted = done;
  }

  override _final(done: () => void): void {
    if (!this.peer.destroyed) this.peer.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A write that still waits for the reader would wait forever.
    const go = this.#wanted;
    this.#wanted = undefined;
    go?.();
    if (!this.peer.destroyed && !this.peer.readableEnded) this.peer.push(null);
    done(error);
  }

  *#pieces(chunk: Buffer): Iterable<Buffer> {
    if (this.#split === undefined) {
      yield chunk;
      return;
    }
    for (let at = 0; at < chunk.length; ) {
      const length = 1 + Math.floor(this.#random() * this.#split);
      yield chunk.subarray(at, at + length);
      at += length;
    }
  }
}
