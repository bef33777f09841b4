/** @typedef {import('node:net').Socket} Socket */

/** One direction of a connection: bytes go through, are held, or are lost. */
export class Passage {
  #from;
  #to;
  /** @type {Buffer[]} */
  #held = [];
  #holding = false;
  #ended = false;
  #shut = false;
  /** Chunks that have come so far. */
  chunks = 0;

  /**
   * @param {Socket} from
   * @param {Socket} to
   * @param {(chunk: Buffer) => Buffer | undefined} pass what of a chunk goes through
   */
  constructor(from, to, pass) {
    this.#from = from;
    this.#to = to;
    from.on('data', (chunk) => {
      this.chunks++;
      const rest = pass(chunk);
      if (rest !== undefined) this.#take(rest);
    });
    from.on('end', () => {
      this.#ended = true;
      this.#settle();
    });
    to.on('drain', () => {
      if (!this.#holding) from.resume();
    });
  }

  /** Bytes wait from now on. */
  hold() {
    this.#holding = true;
    this.#from.pause();
  }

  /** Bytes that waited go through, and those that follow. */
  release() {
    if (!this.#holding) return;
    this.#holding = false;
    for (const chunk of this.#held.splice(0)) this.#write(chunk);
    this.#from.resume();
    this.#settle();
  }

  /**
   * The receiver gets this much, then sees an end.
   *
   * @param {Buffer} last
   */
  cut(last) {
    this.#take(last);
    this.shut();
  }

  /** The receiver sees an end; whatever else comes is lost. */
  shut() {
    this.release();
    this.#shut = true;
    this.#to.end();
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    if (this.#shut) return;
    if (this.#holding) this.#held.push(chunk);
    else this.#write(chunk);
  }

  /** @param {Buffer} chunk */
  #write(chunk) {
    if (!this.#to.writable || this.#shut) return;
    if (!this.#to.write(chunk)) this.#from.pause();
  }

  #settle() {
    if (this.#ended && !this.#holding && !this.#shut) this.#to.end();
  }
}
