import type { Writable } from 'node:stream';

/** What a writer tells its connection. */
export interface WriterEvents {
  /** The output takes more again. */
  drained(): void;
  /** More waits than the bound allows. */
  overflowed(): void;
}

/** Where frames go, and how much may wait. */
export interface WriterTarget {
  readonly output: Writable;
  /** Writes to the output where `output.write` has been given to somebody else. */
  readonly write?: Writable['write'];
  /** Characters that may wait while the output takes nothing. */
  readonly maxQueued: number;
}

// What waits is written before the turn ends when it has grown to this many characters.
const batchLength = 1 << 16;
// What waits is one string.
const longest = 2 ** 29 - 2 ** 20;

/** Writes frames as lines: all frames of one turn of the event loop in one write, in the order they came. */
export class FrameWriter {
  readonly #output: Writable;
  readonly #write: Writable['write'];
  readonly #maxQueued: number;
  readonly #events: WriterEvents;
  #pending = '';
  #scheduled = false;
  #blocked = false;
  #ended = false;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(target: WriterTarget, events: WriterEvents) {
    this.#output = target.output;
    this.#write = target.write ?? target.output.write.bind(target.output);
    this.#maxQueued = Math.min(target.maxQueued, longest);
    this.#events = events;
    this.#output.on('drain', this.#drain);
  }

  /** True while the output takes nothing because the peer does not read. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Queues one frame; returns a promise of room while the output is blocked. */
  send(frame: string): Promise<void> | undefined {
    this.write(frame);
    return this.#blocked && !this.#ended ? this.#promiseOfRoom() : undefined;
  }

  /** Queues one frame. A frame after the end is dropped, and one that is past the bound while the output is blocked. */
  write(frame: string): void {
    if (this.#ended) return;
    if (this.#blocked && this.#pending.length + frame.length >= this.#maxQueued) {
      this.#events.overflowed();
      return;
    }
    this.#pending += `${frame}\n`;
    if (!this.#blocked) {
      if (this.#pending.length >= batchLength) this.#flush();
      else if (!this.#scheduled) {
        this.#scheduled = true;
        setImmediate(this.#flushTurn);
      }
    }
  }

  /** Takes no more frames; resolves when what was sent has left this process. */
  flush(): Promise<void> {
    this.#ended = true;
    const text = this.#pending;
    this.#pending = '';
    if (this.#output.destroyed || (text === '' && this.#output.writableLength === 0))
      return Promise.resolve();
    return new Promise((resolve) => {
      this.#write(text, () => resolve());
    });
  }

  /** Drops what waits and lets go of the output. */
  stop(): void {
    this.#ended = true;
    this.#pending = '';
    this.#output.off('drain', this.#drain);
    this.#makeRoom();
  }

  #flush(): void {
    const text = this.#pending;
    if (text === '' || this.#blocked || this.#ended) return;
    this.#pending = '';
    this.#write(text);
    this.#blocked = this.#output.writableNeedDrain;
  }

  readonly #flushTurn = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  readonly #drain = (): void => {
    if (!this.#blocked) return;
    this.#blocked = false;
    this.#flush();
    if (this.#blocked) return;
    this.#makeRoom();
    this.#events.drained();
  };

  #promiseOfRoom(): Promise<void> {
    if (this.#room === undefined) {
      let open = (): void => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#room = { promise, open };
    }
    return this.#room.promise;
  }

  #makeRoom(): void {
    this.#room?.open();
    this.#room = undefined;
  }
}
