import { type PatternWork, spendWork } from './work.js';

const beyondAscii = [0x80, 0xe9, 0x3b1, 0x0660, 0x2028, 0x4e2d, 0x1f600];

/**
 * Sets of characters, as bits over a selection that distinguishes any two sets of one pattern: all of ASCII, the characters
 * that the pattern names with their neighbours, and a few of other scripts.
 */
export class CharacterSets {
  readonly all: bigint;
  readonly #chosen: readonly string[];
  readonly #known = new Map<string, bigint>();
  readonly #work: PatternWork;

  constructor(pattern: string, work: PatternWork) {
    this.#work = work;
    const points = new Set(beyondAscii);
    for (let point = 0; point < 128; point++) points.add(point);
    for (const point of named(pattern)) for (const near of [point - 1, point, point + 1]) points.add(near);
    this.#chosen = [...points]
      .filter((point) => point >= 0 && point <= 0x10ffff)
      .map((point) => String.fromCodePoint(point));
    this.all = (1n << BigInt(this.#chosen.length)) - 1n;
  }

  /** Returns the characters that a class, an escape, a dot or a character of a pattern matches. */
  of(source: string): bigint {
    let set = this.#known.get(source);
    if (set === undefined && source.length === 1 && source !== '.') {
      const index = this.#chosen.indexOf(source);
      set = 1n << BigInt(this.#chosen.length - 1 - index);
      this.#known.set(source, set);
    }
    if (set === undefined) {
      // Classes of Unicode are large.
      spendWork(this.#work, this.#chosen.length * (/\\p/i.test(source) ? 8 : 1));
      const expression = new RegExp(`^(?:${source})$`, 'u');
      const digits = this.#chosen.map((one) => (expression.test(one) ? '1' : '0'));
      set = BigInt(`0b${digits.join('')}`);
      this.#known.set(source, set);
    }
    return set;
  }
}

/** Characters beyond ASCII that a pattern contains literally or as an escape. */
function* named(pattern: string): Iterable<number> {
  for (const char of pattern) {
    const point = char.codePointAt(0) ?? 0;
    if (point > 127) yield point;
  }
  for (const [, braced, plain] of pattern.matchAll(/\\u(?:\{([\da-fA-F]+)\}|([\da-fA-F]{4}))/g))
    yield Number.parseInt(braced ?? plain ?? '0', 16);
}
