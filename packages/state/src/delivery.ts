import { detach } from '@tenon/foundation';
import { byteLength, stateLimits } from './keys.js';
import type { Subscriber } from './state.js';

interface Queued {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Delivers messages to one subscriber, one after the other. A subscriber that is too slow loses what waits, and its `gap` is
 * called once it has finished the message it is working on. For adapters.
 */
export class Delivery {
  readonly #subscriber: Subscriber;
  readonly #onError: (error: unknown) => void;
  #waiting: Queued[] = [];
  /** Messages that wait, those of the batch in progress included, and their bytes. */
  #count = 0;
  #bytes = 0;
  #gap = false;
  #busy = false;
  #ended = false;

  /** @param onError - receives errors that the subscriber throws. */
  constructor(subscriber: Subscriber, onError: (error: unknown) => void) {
    this.#subscriber = subscriber;
    this.#onError = onError;
  }

  /** Queues a message. It is delivered after the current turn of the event loop's microtasks has begun. */
  push(text: string): void {
    if (this.#ended) return;
    const bytes = byteLength(text);
    if (this.#count >= stateLimits.queuedMessages || this.#bytes + bytes > stateLimits.queuedBytes) {
      this.lose();
      return;
    }
    this.#waiting.push({ text, bytes });
    this.#count += 1;
    this.#bytes += bytes;
    this.#start();
  }

  /** Drops what waits and calls `gap`: messages may have been lost. */
  lose(): void {
    if (this.#ended) return;
    this.#drop();
    this.#gap = true;
    this.#start();
  }

  /** Ends the delivery. No call to the subscriber follows. */
  end(): void {
    this.#ended = true;
    this.#drop();
    this.#gap = false;
  }

  #drop(): void {
    this.#waiting = [];
    this.#count = 0;
    this.#bytes = 0;
  }

  #start(): void {
    if (this.#busy) return;
    this.#busy = true;
    queueMicrotask(() => detach(this.#run(), this.#onError));
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    for (;;) {
      // Taken as a whole: shifting a long array for each message would cost its length each time.
      const batch = this.#waiting;
      this.#waiting = [];
      if (this.#gap) {
        this.#gap = false;
        await this.#call(() => this.#subscriber.gap());
      } else if (batch.length === 0) break;
      for (const { text, bytes } of batch) {
        if (this.#ended || this.#gap) break;
        this.#count -= 1;
        this.#bytes -= bytes;
        await this.#call(() => this.#subscriber.message(text));
      }
    }
    this.#busy = false;
  }

  async #call(call: () => unknown): Promise<void> {
    if (this.#ended) return;
    try {
      await call();
    } catch (error) {
      this.#onError(error);
    }
  }
}
