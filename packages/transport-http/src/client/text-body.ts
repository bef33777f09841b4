/** Collects the bytes of one body up to a bound, and reads them as UTF-8 text at the end. */
export class TextBody {
  readonly #limit: number;
  #first: Uint8Array | undefined;
  #rest: Uint8Array[] | undefined;
  #size = 0;

  /** @param limit - bytes taken. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False once there is more than may be: nothing is kept then. */
  push(bytes: Uint8Array): boolean {
    this.#size += bytes.byteLength;
    if (this.#size > this.#limit) {
      this.#first = undefined;
      this.#rest = undefined;
      return false;
    }
    if (this.#first === undefined) this.#first = bytes;
    else if (this.#rest === undefined) this.#rest = [bytes];
    else this.#rest.push(bytes);
    return true;
  }

  get empty(): boolean {
    return this.#size === 0;
  }

  /**
   * The text so far.
   * @throws TypeError when the bytes are not UTF-8.
   */
  text(): string {
    if (this.#first === undefined) return '';
    if (this.#rest === undefined) return decoder.decode(this.#first);
    const streaming = new TextDecoder('utf-8', { fatal: true });
    let text = streaming.decode(this.#first, { stream: true });
    for (const bytes of this.#rest) text += streaming.decode(bytes, { stream: true });
    return text + streaming.decode();
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
