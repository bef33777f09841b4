import { isNestedDeeper } from '@tenon/mcp-protocol/internal';
import { GatheredBytes } from '../../gathered-bytes.js';
import { tooDeep } from './http-limits.js';

/** Bytes read of a body that is ignored, or used only in an error text. */
export const maxIdleBytes = 65_536;

/** Collects the bytes of one body up to a limit, and decodes them as UTF-8 text at the end. */
export class TextBody {
  /** The JSON value of the body, after it was parsed. */
  value: unknown;
  readonly #limit: number;
  /** The first chunk, which is mostly the whole body. */
  #first: Uint8Array | undefined;
  #gathered: GatheredBytes | undefined;
  #size = 0;

  /** @param limit - bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds bytes. Returns false if the body is longer than the limit; everything is dropped then. */
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

  /** Returns the text so far; undefined if it is not UTF-8 or was longer than the limit. */
  text(): string | undefined {
    if (this.#size > this.#limit) return undefined;
    try {
      return decoder.decode(this.#gathered?.bytes ?? this.#first);
    } catch {
      return undefined;
    }
  }

  /** Parses the text into `value`. Returns the problem if it is not one JSON value within the limit. */
  parse(maxNesting: number): string | undefined {
    const text = this.text();
    if (text === undefined) return 'it is not UTF-8';
    try {
      this.value = JSON.parse(text);
    } catch {
      return text === '' ? 'it is empty' : 'it is not JSON';
    }
    return isNestedDeeper(this.value, text, maxNesting) ? tooDeep(maxNesting) : undefined;
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
