import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { GatheredBytes } from '../../gathered-bytes.js';
import type { HttpLimits } from '../connection/http-limits.js';

/** Hears what one connection of an event stream brings. */
export interface EventListener {
  /** An event of any kind. */
  event(event: EventSourceMessage): void;
  /** How many milliseconds to wait before the stream is asked for again. */
  retry(ms: number): void;
}

const lf = 10;
const cr = 13;

/** Bytes of an unfinished line that are gathered before the parser gets them. */
const mostGathered = 65_536;

const nothing = new Uint8Array(0);

/** The bytes at the end that begin a character and do not complete it. */
function openSequence(bytes: Uint8Array): Uint8Array {
  for (let length = 1; length <= 3; length++) {
    const byte = bytes.at(-length);
    if (byte === undefined || byte < 0x80) break;
    if (byte < 0xc0) continue;
    // The leading ones of the first byte count the bytes of the character.
    const wanted = Math.clz32(~(byte << 24));
    return wanted > length ? bytes.slice(-length) : nothing;
  }
  return nothing;
}

/** Reads the bytes of one connection as events, within bounds. */
export class EventReader {
  readonly #limits: HttpLimits;
  readonly #listener: EventListener;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The parser has the beginning of a line. */
  #begun = false;
  /** What came of that line since: the parser would keep each piece as a text of its own. */
  #line: GatheredBytes | undefined;
  /** The decoder has these bytes of a character whose rest is to come. */
  #tail: Uint8Array = nothing;
  #endsInFeed = true;
  #ending = false;
  #bytes = 0;
  #flaw: string | undefined;

  constructor(limits: HttpLimits, listener: EventListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#parser = createParser({
      maxBufferSize: limits.maxEventChars,
      onEvent: (event) => this.#take(event),
      onRetry: (ms) => {
        if (!this.#ending) listener.retry(ms);
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#flaw = this.#tooLong();
      },
    });
  }

  /** Takes bytes; returns why nothing more can be read, if so. */
  push(bytes: Uint8Array): string | undefined {
    if (this.#flaw !== undefined) return this.#flaw;
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#limits.maxStreamBytes) {
      this.#flaw = `The stream brought more than ${this.#limits.maxStreamBytes} bytes (limit maxStreamBytes).`;
      return this.#flaw;
    }
    const ready = this.#gather(bytes);
    if (ready === undefined) return undefined;
    let text: string;
    try {
      text = this.#decoder.decode(ready, { stream: true });
    } catch {
      this.#feedLines(ready);
      this.#flaw ??= 'The stream is not UTF-8.';
      return this.#flaw;
    }
    this.#tail = openSequence(ready.length < 4 ? Uint8Array.of(...this.#tail, ...ready) : ready);
    this.#feed(text);
    return this.#flaw;
  }

  /** Feeds the lines ahead of the first that is not UTF-8: how the network cuts a stream must not decide what is heard. */
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
      // A line that ends in a carriage return waits in the parser for what follows. An empty one must not be made.
      this.#ending = true;
      if (!this.#endsInFeed) this.#parser.feed('\n');
    }
  }

  #feed(text: string): void {
    if (text.length === 0) return;
    this.#endsInFeed = text.charCodeAt(text.length - 1) === lf;
    this.#parser.feed(text);
  }

  /** What the parser is to have now; undefined while more of a line is waited for. */
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

  #take(event: EventSourceMessage): void {
    if (this.#flaw !== undefined) return;
    if (event.data.length > this.#limits.maxEventChars) this.#flaw = this.#tooLong();
    else this.#listener.event(event);
  }

  #tooLong(): string {
    return `An event is longer than ${this.#limits.maxEventChars} characters (limit maxEventChars).`;
  }
}
