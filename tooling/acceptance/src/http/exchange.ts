import { FrameQueue } from '../transcripts/frame-queue.js';
import { EventReader } from './event-reader.js';
import type { Head, Part } from './part.js';

/** What a client sends in one HTTP exchange. */
export interface HttpAsked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** An answer as it comes from a face. */
export interface Incoming extends Head {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** One HTTP request and what comes back, part by part. */
export class HttpExchange {
  readonly #parts = new FrameQueue<Part>();
  readonly #abort: () => void;
  readonly #onPart: () => void;
  #aborted = false;

  /** @param onPart - hears that something more has come. */
  constructor(incoming: Promise<Incoming>, abort: () => void, onPart: () => void = () => {}) {
    this.#abort = abort;
    this.#onPart = onPart;
    this.#run(incoming).catch(() => {
      if (!this.#aborted) this.#put({ kind: 'broken' });
    });
  }

  /** The next part; undefined when nothing more comes, or nothing came in time. */
  next(): Promise<Part | undefined> {
    return this.#parts.next();
  }

  /** The next part if it is there already; it stays. */
  peek(): Part | undefined {
    return this.#parts.peek();
  }

  /** Takes out what {@link peek} gives. */
  skip(): void {
    this.#parts.skip();
  }

  /** Parts nobody waited for. */
  rest(): readonly Part[] {
    return this.#parts.rest();
  }

  /** Breaks the connection. */
  abort(): void {
    this.#aborted = true;
    this.#parts.end();
    this.#abort();
  }

  async #run(incoming: Promise<Incoming>): Promise<void> {
    const { status, headers, chunks } = await incoming;
    this.#put({ kind: 'head', status, headers });
    const decoder = new TextDecoder('utf-8', { fatal: true });
    const streams = headers['content-type'] === 'text/event-stream';
    const events = new EventReader((part) => this.#put(part));
    let text = '';
    for await (const chunk of chunks) {
      const piece = decoder.decode(chunk, { stream: true });
      if (streams) events.take(piece);
      else text += piece;
    }
    if (text !== '') this.#put({ kind: 'body', text });
    this.#put(events.isWhole ? { kind: 'end' } : { kind: 'broken' });
    this.#parts.end();
  }

  #put(part: Part): void {
    if (this.#aborted) return;
    this.#parts.put(part);
    this.#onPart();
  }
}
