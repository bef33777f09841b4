import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Revision } from '@tenon/mcp-protocol';
import { expect } from 'vitest';
import { type Frame, Speech, textOf } from './speech.js';

/** A peer of a server that writes bytes, and records each line it receives. */
export class LinePeer {
  readonly speech: Speech;
  readonly input: Writable;
  readonly output: Readable;
  /** Frames received since the last {@link heard}. */
  readonly frames: Frame[] = [];
  readonly #waiting = new Set<() => void>();
  #rest: Buffer[] = [];
  #ended = false;
  #lastId = 0;

  /** @param ends - the input and output of the server */
  constructor(revision: Revision, ends: { readonly input: Writable; readonly output: Readable }) {
    this.speech = new Speech(revision);
    this.input = ends.input;
    this.output = ends.output;
    this.input.on('error', () => {});
    this.output.on('data', (chunk: Buffer) => this.#take(chunk));
    for (const event of ['end', 'close', 'error'] as const) {
      this.output.on(event, () => {
        this.#ended = true;
        this.#wake();
      });
    }
  }

  /** True if no more lines can arrive. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Writes bytes, or lines of text. */
  write(...given: readonly (string | Uint8Array)[]): void {
    for (const one of given) this.input.write(typeof one === 'string' ? `${one}\n` : one);
  }

  /** Writes bytes, and waits for the server if it applies backpressure. */
  async pour(bytes: string | Uint8Array): Promise<void> {
    if (!this.input.write(bytes)) await Promise.race([once(this.input, 'drain'), once(this.input, 'close')]);
  }

  /** Negotiates the revision, if it has a handshake. */
  async open(): Promise<this> {
    if (this.speech.revision.lifecycle === 'stateless') return this;
    this.write(this.speech.initialize('hello'));
    expect(await this.answer('hello')).toMatchObject({
      result: { protocolVersion: this.speech.revision.id },
    });
    this.write(this.speech.notice('notifications/initialized'));
    this.frames.length = 0;
    return this;
  }

  /** Returns the first matching frame, received or future. */
  async next(fits: (frame: Frame) => boolean): Promise<Frame> {
    for (let from = 0; ; ) {
      for (; from < this.frames.length; from++) {
        const frame = this.frames[from] as Frame;
        if (fits(frame)) return frame;
      }
      if (this.#ended) throw new Error(`It ended after ${JSON.stringify(this.frames.slice(-3))}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  answer(id: unknown): Promise<Frame> {
    return this.next((frame) => frame.id === id && frame.method === undefined);
  }

  /** Waits for a number of frames. */
  async count(number: number): Promise<readonly Frame[]> {
    while (this.frames.length < number) {
      if (this.#ended) throw new Error(`It ended after ${this.frames.length} of ${number} frames.`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    return this.frames;
  }

  /** Calls a tool with a valid request. Returns the text of the result. */
  async call(name: string, input: object = {}): Promise<string | undefined> {
    const id = `honest ${++this.#lastId}`;
    this.write(this.speech.call(id, name, input));
    const frame = await this.answer(id);
    this.frames.splice(this.frames.indexOf(frame), 1);
    return textOf(frame);
  }

  /**
   * Checks that a valid request gets a response. Requests before it that are answered at once have their responses by then.
   */
  async isServed(): Promise<void> {
    expect(await this.call('echo', { text: 'still there' })).toBe('still there');
  }

  /** Waits until no more lines can arrive. */
  async end(): Promise<void> {
    while (!this.#ended) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #take(chunk: Buffer): void {
    const end = chunk.lastIndexOf(10);
    if (end < 0) {
      this.#rest.push(chunk);
      return;
    }
    const text = Buffer.concat([...this.#rest, chunk.subarray(0, end)]).toString();
    this.#rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : [];
    for (const line of text.split('\n')) {
      const value = JSON.parse(line) as Frame | readonly Frame[];
      this.frames.push(value as Frame);
    }
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
