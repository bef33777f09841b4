const keyBytes = 16;
const wordBytes = 8;

/**
 * SipHash-2-4: 8 bytes that nobody can foretell without the key.
 *
 * @param key - 16 bytes.
 * @throws RangeError for a key of any other length.
 * @see https://www.aumasson.jp/siphash/siphash.pdf
 */
export function sipHash(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  if (key.length !== keyBytes) throw new RangeError(`A key of SipHash has ${keyBytes} bytes.`);
  const state = new State(viewOf(key));
  const whole = message.length - (message.length % wordBytes);
  const view = viewOf(message);
  for (let at = 0; at < whole; at += wordBytes)
    state.absorb(view.getUint32(at, true), view.getUint32(at + 4, true));
  const rest = new Uint8Array(wordBytes);
  rest.set(message.subarray(whole));
  rest[wordBytes - 1] = message.length;
  const last = viewOf(rest);
  state.absorb(last.getUint32(0, true), last.getUint32(4, true));
  return state.finish();
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Half of a 64-bit word: `v0` begins at 0, `v1` at 2 and so on, low half first. */
type Word = 0 | 2 | 4 | 6;

/** The four 64-bit words, in halves: 64-bit integers of the language are many times slower. */
class State {
  readonly #halves = new Uint32Array(8);

  constructor(key: DataView) {
    const initial = [
      0x70736575, 0x736f6d65, 0x6e646f6d, 0x646f7261, 0x6e657261, 0x6c796765, 0x79746573, 0x74656462,
    ];
    for (const [at, constant] of initial.entries())
      this.#halves[at] = constant ^ key.getUint32((at % 4) * 4, true);
  }

  absorb(low: number, high: number): void {
    this.#mix(6, low, high);
    this.#round();
    this.#round();
    this.#mix(0, low, high);
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.#mix(4, 0xff, 0);
    for (let round = 0; round < 4; round++) this.#round();
    const hash = new DataView(new ArrayBuffer(wordBytes));
    for (const [at, half] of this.#halves.entries()) {
      const offset = (at % 2) * 4;
      hash.setUint32(offset, hash.getUint32(offset, true) ^ half, true);
    }
    return new Uint8Array(hash.buffer);
  }

  #round(): void {
    this.#step(0, 2, 13);
    this.#turn(0, 32);
    this.#step(4, 6, 16);
    this.#step(0, 6, 21);
    this.#step(4, 2, 17);
    this.#turn(4, 32);
  }

  /** Adds `from` to `to`, turns `from`, and mixes the sum into it. */
  #step(to: Word, from: Word, bits: number): void {
    const sum = this.#at(to) + this.#at(from);
    this.#halves[to] = sum;
    this.#halves[to + 1] = this.#at(to + 1) + this.#at(from + 1) + (sum > 0xffffffff ? 1 : 0);
    this.#turn(from, bits);
    this.#mix(from, this.#at(to), this.#at(to + 1));
  }

  /** Turns a word to the left. */
  #turn(word: Word, bits: number): void {
    const [low, high] = [this.#at(word), this.#at(word + 1)];
    if (bits === 32) {
      this.#halves[word] = high;
      this.#halves[word + 1] = low;
      return;
    }
    this.#halves[word] = (low << bits) | (high >>> (32 - bits));
    this.#halves[word + 1] = (high << bits) | (low >>> (32 - bits));
  }

  #mix(word: Word, low: number, high: number): void {
    this.#halves[word] = this.#at(word) ^ low;
    this.#halves[word + 1] = this.#at(word + 1) ^ high;
  }

  #at(index: number): number {
    return this.#halves[index] as number;
  }
}
