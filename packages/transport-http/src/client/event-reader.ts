import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { HttpLimits } from './http-limits.js';

/** Hears what one connection of an event stream brings. */
export interface EventListener {
  /** An event of any kind. */
  event(event: EventSourceMessage): void;
  /** How many milliseconds to wait before the stream is asked for again. */
  retry(ms: number): void;
}

/** Reads the bytes of one connection as events, within bounds. */
export class EventReader {
  readonly #limits: HttpLimits;
  readonly #listener: EventListener;
  readonly #parser: EventSourceParser;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
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
    try {
      this.#parser.feed(this.#decoder.decode(bytes, { stream: true }));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#flaw ??= 'The stream is not UTF-8.';
    }
    return this.#flaw;
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
