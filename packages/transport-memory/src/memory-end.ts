import {
  type Answer,
  type CarrierFacts,
  type Connection,
  type Receiver,
  TransportError,
} from '@tenon/mcp-protocol';
import { failedAnswer } from '@tenon/mcp-protocol/internal';

// A reaction to a settled promise costs a fraction of queueMicrotask, which makes an async resource for each call.
const settled = Promise.resolve();

const noFacts: CarrierFacts = Object.freeze({});

/** One end of a linked pair; its inbox holds what the other end has sent. */
export class MemoryEnd implements Connection {
  readonly facts: CarrierFacts = noFacts;
  readonly #highWaterMark: number;
  readonly #maxQueued: number;
  #peer: MemoryEnd = this;
  #receiver: Receiver | undefined;
  #inbox: string[] = [];
  #queued = 0;
  #scheduled = false;
  #closing = false;
  #ended = false;
  #reason: Error | undefined;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  private constructor(highWaterMark: number, maxQueued: number) {
    this.#highWaterMark = highWaterMark;
    this.#maxQueued = maxQueued;
  }

  /** Makes two ends and links them; bounds in characters. */
  static pair(highWaterMark: number, maxQueued: number): [MemoryEnd, MemoryEnd] {
    const left = new MemoryEnd(highWaterMark, maxQueued);
    const right = new MemoryEnd(highWaterMark, maxQueued);
    left.#peer = right;
    right.#peer = left;
    return [left, right];
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    if (this.#inbox.length > 0 || this.#closing) this.#schedule();
  }

  send(frame: string): Promise<void> | undefined {
    const peer = this.#peer;
    peer.#take(frame);
    return peer.#queued < peer.#highWaterMark ? undefined : peer.#pressure();
  }

  close(): Promise<void> {
    this.#close(undefined);
    return settled.then(ignore);
  }

  #take(frame: string): void {
    if (this.#closing) return;
    this.#inbox.push(frame);
    this.#queued += frame.length;
    if (!this.#scheduled && this.#receiver !== undefined) this.#schedule();
    if (this.#queued >= this.#maxQueued)
      this.#close(new TransportError(`The other end left more than ${this.#maxQueued} characters unread.`));
  }

  #pressure(): Promise<void> | undefined {
    if (this.#closing) return undefined;
    if (this.#room === undefined) {
      let open = (): void => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#room = { promise, open };
    }
    return this.#room.promise;
  }

  #schedule(): void {
    this.#scheduled = true;
    settled.then(this.#deliver, this.#failed);
  }

  // One reaction takes everything that has come since the last one.
  readonly #deliver = (): void => {
    try {
      const receiver = this.#receiver;
      this.#scheduled = false;
      if (receiver === undefined || this.#ended) return;
      const batch = this.#inbox;
      this.#inbox = [];
      this.#queued = 0;
      this.#room?.open();
      this.#room = undefined;
      for (const frame of batch) this.#receive(receiver, frame);
      if (this.#closing) {
        this.#ended = true;
        receiver.closed(this.#reason);
      }
    } catch (error) {
      this.#failed(error);
    }
  };

  #receive(receiver: Receiver, frame: string): void {
    let value: unknown;
    let flaw: string | undefined;
    try {
      value = JSON.parse(frame);
    } catch (error) {
      flaw = `The frame is not JSON: ${(error as Error).message}`;
    }
    try {
      const answer: Answer =
        flaw === undefined ? receiver.receive(value, this) : receiver.malformed(flaw, this);
      if (typeof answer === 'string') this.#peer.#take(answer);
      else if (answer !== undefined)
        answer.then(this.#answer, (error: unknown) => this.#failed(error, value));
    } catch (error) {
      this.#failed(error, value);
    }
  }

  readonly #answer = (frame: string | undefined): void => {
    try {
      if (frame !== undefined) this.#peer.#take(frame);
    } catch (error) {
      this.#failed(error);
    }
  };

  /** A receiver that fails ends neither the pair nor the process. */
  readonly #failed = (error: unknown, message?: unknown): void => {
    this.#receiver?.onError?.(error, 'memory');
    const answer = failedAnswer(message);
    if (answer !== undefined) this.#peer.#take(answer);
  };

  #close(reason: Error | undefined): void {
    if (this.#closing) return;
    for (const end of [this, this.#peer]) {
      end.#closing = true;
      end.#reason = reason;
      end.#room?.open();
      if (!end.#scheduled && end.#receiver !== undefined) end.#schedule();
    }
  }
}

function ignore(): void {}
