import type { Buffer } from 'node:buffer';
import { Writable } from 'node:stream';

/** An output that takes a write only when told to. */
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

  /** Takes the oldest write that was held, and goes on holding. */
  letOne(): void {
    this.#held.shift()?.();
  }

  get lines(): string[] {
    return this.writes.join('').split('\n').slice(0, -1);
  }
}
