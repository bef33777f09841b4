/** @typedef {import('node:net').Socket} Socket */

/** One direction of a connection: bytes go through, are held, or are dropped. */
export class Passage {
  #from;
  #to;
  /** @type {Buffer[]} */
  #held = [];
  #holding = false;
  #ended = false;
  #shut = false;
  /** The number of chunks received. */
  chunks = 0;

  /**
   * @param {Socket} from
   * @param {Socket} to
   * @param {(chunk: Buffer) => Buffer | undefined} pass returns the part of a chunk that goes through
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

  /** Holds bytes from now on. */
  hold() {
    this.#holding = true;
    this.#from.pause();
  }

  /** Sends the held bytes, and those that follow. */
  release() {
    if (!this.#holding) return;
    this.#holding = false;
    for (const chunk of this.#held.splice(0)) this.#write(chunk);
    this.#from.resume();
    this.#settle();
  }

  /**
   * Sends a part to the receiver, then an end.
   *
   * @param {Buffer} last
   */
  cut(last) {
    this.#take(last);
    this.shut();
  }

  /** Sends an end to the receiver, and drops all bytes from now on. */
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
