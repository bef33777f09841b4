import type { Buffer } from 'node:buffer';
import { Writable } from 'node:stream';

/** An output that completes a write only when a test says so. */
export class Sink extends Writable {
  readonly writes: string[] = [];
  #held: (() => void)[] = [];
  #open = true;

  constructor(highWaterMark = 16) {
    super({ highWaterMark, decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push(chunk.toString());
    if (this.#open) done();
    else this.#held.push(done);
  }

  hold(): void {
    this.#open = false;
  }

  let(): void {
    this.#open = true;
    for (const done of this.#held.splice(0)) done();
  }

  /** Completes the oldest held write, and holds the others. */
  letOne(): void {
    this.#held.shift()?.();
  }

  get lines(): string[] {
    return this.writes.join('').split('\n').slice(0, -1);
  }
}
