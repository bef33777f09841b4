import { FrameQueue } from '../transcripts/frame-queue.js';
import { EventReader } from './event-reader.js';
import type { Head, Part } from './part.js';

/** The request of one HTTP exchange. */
export interface HttpAsked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A response of a face. */
export interface Incoming extends Head {
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** One HTTP request and its response, part by part. */
export class ScriptedExchange {
  readonly #parts = new FrameQueue<Part>();
  readonly #abort: () => void;
  readonly #onPart: () => void;
  #aborted = false;

  /** @param onPart - called when a part arrives */
  constructor(incoming: Promise<Incoming>, abort: () => void, onPart: () => void = () => {}) {
    this.#abort = abort;
    this.#onPart = onPart;
    this.#run(incoming).catch(() => {
      if (!this.#aborted) this.#put({ kind: 'broken' });
    });
  }

  /** Returns the next part; undefined if no more arrive, or none arrived in time. */
  next(): Promise<Part | undefined> {
    return this.#parts.next();
  }

  /** Returns the next part if it has arrived, without removing it. */
  peek(): Part | undefined {
    return this.#parts.peek();
  }

  /** Removes the part {@link peek} returns. */
  skip(): void {
    this.#parts.skip();
  }

  /** Returns the parts that were not read. */
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
