/** Levels of a message. */
const deepest = 64;

/**
 * Returns the number of characters that a value has as JSON, about; undefined if it has more than `most`, is nested too deeply, or is not
 * JSON. Stops at the limit, however large the value is.
 */
export function jsonSize(value: unknown, most: number): number | undefined {
  let size = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value: one, depth } = next;
    if (typeof one === 'string') size += one.length + 2;
    else if (one === null || typeof one === 'boolean' || Number.isFinite(one)) size += 8;
    else if (typeof one !== 'object' || !isPlain(one) || depth === deepest) return undefined;
    else {
      for (const key in one) {
        size += key.length + 4;
        if (size > most) return undefined;
        const member = (one as { readonly [key: string]: unknown })[key];
        if (member !== undefined) waiting.push({ value: member, depth: depth + 1 });
      }
    }
    if (size > most) return undefined;
  }
  return size;
}

/** True for objects and lists that a copy by `postMessage` can be, but no dates, maps, buffers or files. */
function isPlain(value: object | null): boolean {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** Counts the messages of one view: a number at once, which refills within a second. */
export class MessageRate {
  readonly #perSecond: number;
  readonly #now: () => number;
  #left: number;
  #since: number;

  /** @param now - milliseconds. */
  constructor(perSecond: number, now: () => number) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#left = perSecond;
    this.#since = now();
  }

  /** Returns false if the message is one too many. */
  admit(): boolean {
    const now = this.#now();
    const refilled = this.#left + ((now - this.#since) / 1_000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, refilled);
    this.#since = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
