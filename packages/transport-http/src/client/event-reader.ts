import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { GatheredBytes } from '../gathered-bytes.js';
import type { HttpLimits } from './http-limits.js';

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
  #bytes = 0;
  #flaw: string | undefined;

  constructor(limits: HttpLimits, listener: EventListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#parser = createParser({
      maxBufferSize: limits.maxEventChars,
      onEvent: (event) => this.#take(event),
      onRetry: (ms) => listener.retry(ms),
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
      this.#flaw = 'The stream is not UTF-8.';
      return this.#flaw;
    }
    this.#parser.feed(text);
    return this.#flaw;
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
