import type { Writable } from 'node:stream';

export interface WriterEvents {
  /** The output accepts data again. */
  drained(): void;
  /** More characters are queued than allowed. */
  overflowed(): void;
}

/** The output of a writer, and the limit of its queue. */
export interface WriterTarget {
  readonly output: Writable;
  /** Writes to the output if `output.write` is replaced. */
  readonly write?: Writable['write'];
  /** Characters that may be queued while the output accepts none. */
  readonly maxQueued: number;
}

// The queue is written before the end of the turn if it has this many characters.
const batchLength = 1 << 16;
// The queue is one string, which cannot be longer.
const longest = 2 ** 29 - 2 ** 20;

/** Writes frames as lines: all frames of one turn of the event loop in one write, in order. */
export class FrameWriter {
  readonly #output: Writable;
  readonly #write: Writable['write'];
  readonly #maxQueued: number;
  readonly #events: WriterEvents;
  #pending = '';
  #scheduled = false;
  #blocked = false;
  #ended = false;
  #space: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(target: WriterTarget, events: WriterEvents) {
    this.#output = target.output;
    this.#write = target.write ?? target.output.write.bind(target.output);
    this.#maxQueued = Math.min(target.maxQueued, longest);
    this.#events = events;
    this.#output.on('drain', this.#drain);
  }

  /** True while the output accepts nothing because the peer does not read. */
  get blocked(): boolean {
    return this.#blocked;
  }

  /** Queues one frame; returns a promise that resolves when there is space if the output is blocked. */
  send(frame: string): Promise<void> | undefined {
    this.write(frame);
    return this.#blocked && !this.#ended ? this.#promiseOfRoom() : undefined;
  }

  /** Queues one frame. Drops frames after the end, and frames beyond the limit while the output is blocked. */
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

  /** Accepts no more frames; resolves when all frames have left this process. */
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

  /** Drops the queue and releases the output. */
  stop(): void {
    this.#ended = true;
    this.#pending = '';
    this.#output.off('drain', this.#drain);
    this.#openSpace();
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
    this.#openSpace();
    this.#events.drained();
  };

  #promiseOfRoom(): Promise<void> {
    if (this.#space === undefined) {
      let open = (): void => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#space = { promise, open };
    }
    return this.#space.promise;
  }

  #openSpace(): void {
    this.#space?.open();
    this.#space = undefined;
  }
}
