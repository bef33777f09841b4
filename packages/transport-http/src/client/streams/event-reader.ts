import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { GatheredBytes } from '../../gathered-bytes.js';
import type { HttpClientBounds } from '../request/http-limits.js';

/** Receives the events of one response. */
export interface EventListener {
  /** An event of any kind. */
  event(event: EventSourceMessage): void;
  /** Called with the milliseconds that the server demands before the next request of the stream. */
  retry(ms: number): void;
}

const lf = 10;
const cr = 13;

/** Bytes of an unfinished line that are collected before they go to the parser. */
const mostGathered = 65_536;

const nothing = new Uint8Array(0);

/** Returns the bytes at the end that are an incomplete character. */
function openSequence(bytes: Uint8Array): Uint8Array {
  for (let length = 1; length <= 3; length++) {
    const byte = bytes.at(-length);
    if (byte === undefined || byte < 0x80) break;
    if (byte < 0xc0) continue;
    // The number of leading one bits in the first byte is the number of bytes of the character.
    const wanted = Math.clz32(~(byte << 24));
    return wanted > length ? bytes.slice(-length) : nothing;
  }
  return nothing;
}

/** Reads the bytes of one response as events, within limits. */
export class EventReader {
  readonly #limits: HttpClientBounds;
  readonly #listener: EventListener;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** True while the parser has an unfinished line. */
  #begun = false;
  /** The later bytes of that line: the parser would keep each chunk as a separate string. */
  #line: GatheredBytes | undefined;
  /** Bytes of an incomplete character that the decoder holds. */
  #tail: Uint8Array = nothing;
  #endsInFeed = true;
  #ending = false;
  #bytes = 0;
  #problem: string | undefined;

  constructor(limits: HttpClientBounds, listener: EventListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#parser = createParser({
      maxBufferSize: limits.maxEventChars,
      onEvent: (event) => this.#read(event),
      onRetry: (ms) => {
        if (!this.#ending) listener.retry(ms);
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#problem = this.#tooLong();
      },
    });
  }

  /** Reads bytes. Returns the problem if nothing more can be read. */
  push(bytes: Uint8Array): string | undefined {
    if (this.#problem !== undefined) return this.#problem;
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#limits.maxStreamBytes) {
      this.#problem = `The stream brought more than ${this.#limits.maxStreamBytes} bytes (limit maxStreamBytes).`;
      return this.#problem;
    }
    const ready = this.#gather(bytes);
    if (ready === undefined) return undefined;
    let text: string;
    try {
      text = this.#decoder.decode(ready, { stream: true });
    } catch {
      this.#feedLines(ready);
      this.#problem ??= 'The stream is not UTF-8.';
      return this.#problem;
    }
    this.#tail = openSequence(ready.length < 4 ? Uint8Array.of(...this.#tail, ...ready) : ready);
    this.#feed(text);
    return this.#problem;
  }

  /** Feeds the lines before the first that is not UTF-8: the events must not depend on how the network splits the stream. */
  #feedLines(bytes: Uint8Array): void {
    const isFirst = this.#bytes === this.#tail.byteLength + bytes.byteLength;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isFirst });
    try {
      decoder.decode(this.#tail, { stream: true });
      for (let start = 0; start < bytes.length; ) {
        let end = start;
        while (end < bytes.length && bytes[end] !== lf && bytes[end] !== cr) end++;
        this.#feed(decoder.decode(bytes.subarray(start, end + 1), { stream: true }));
        start = end + 1;
      }
    } catch {
      // The parser holds a line that ends in a carriage return until the next character arrives. This line feed
      // completes it; after a line feed it would add an empty line.
      this.#ending = true;
      if (!this.#endsInFeed) this.#parser.feed('\n');
    }
  }

  #feed(text: string): void {
    if (text.length === 0) return;
    this.#endsInFeed = text.charCodeAt(text.length - 1) === lf;
    this.#parser.feed(text);
  }

  /** Returns the bytes for the parser; undefined until more of the line has arrived. */
  #gather(bytes: Uint8Array): Uint8Array | undefined {
    const ends = bytes.includes(lf) || bytes.includes(cr);
    const begun = this.#begun;
    this.#begun = !ends;
    if (this.#line === undefined && (ends || !begun)) return bytes;
    this.#line ??= new GatheredBytes();
    this.#line.add(bytes);
    if (!ends && this.#line.size <= Math.min(mostGathered, this.#limits.maxEventChars)) return undefined;
    const gathered = this.#line.bytes;
    this.#line = undefined;
    return gathered;
  }

  #read(event: EventSourceMessage): void {
    if (this.#problem !== undefined) return;
    if (event.data.length > this.#limits.maxEventChars) this.#problem = this.#tooLong();
    else this.#listener.event(event);
  }

  #tooLong(): string {
    return `An event is longer than ${this.#limits.maxEventChars} characters (limit maxEventChars).`;
  }
}
