import { GatheredBytes } from '../gathered-bytes.js';

/** Collects the bytes of one body up to a bound, and reads them as UTF-8 text at the end. */
export class TextBody {
  readonly #limit: number;
  /** The first piece, which mostly is all there is. */
  #first: Uint8Array | undefined;
  #gathered: GatheredBytes | undefined;
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
      this.#gathered = undefined;
      return false;
    }
    if (this.#first === undefined) this.#first = bytes;
    else {
      if (this.#gathered === undefined) {
        this.#gathered = new GatheredBytes();
        this.#gathered.add(this.#first);
      }
      this.#gathered.add(bytes);
    }
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
    return decoder.decode(this.#gathered?.bytes ?? this.#first);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
