import {
  type Answer,
  type Connection,
  type Receiver,
  TransportError,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import { failedAnswer } from '@tenon/mcp-protocol/internal';

/** Queued characters at one end: from the first number on `send` returns a promise, from the second the pair ends with an error. */
const [highWaterMark, maxQueued] = [1_048_576, 268_435_456];

/**
 * Links two connections in one process: frames sent by one end are parsed and received by the other, in order, in a later
 * microtask. Closing one end closes both, after all frames sent before have been delivered.
 */
export function memoryPair(): [Connection, Connection] {
  return MemoryEnd.pair();
}

// A reaction to a settled promise costs a fraction of queueMicrotask, which creates an async resource for each call.
const settled = Promise.resolve();

const facts: TransportFacts = Object.freeze({ transport: 'memory' });

/** One end of a linked pair. Its inbox has the frames that the other end has sent. */
class MemoryEnd implements Connection {
  readonly facts: TransportFacts = facts;
  #peer: MemoryEnd = this;
  #receiver: Receiver | undefined;
  #inbox: string[] = [];
  #queued = 0;
  #scheduled = false;
  #closing = false;
  #ended = false;
  #reason: Error | undefined;
  #space: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  /** Returns two linked ends. */
  static pair(): [MemoryEnd, MemoryEnd] {
    const [left, right] = [new MemoryEnd(), new MemoryEnd()];
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
    return peer.#queued < highWaterMark ? undefined : peer.#pressure();
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
    if (this.#queued >= maxQueued)
      this.#close(new TransportError(`The other end left more than ${maxQueued} characters unread.`));
  }

  #pressure(): Promise<void> | undefined {
    if (this.#closing) return undefined;
    if (this.#space === undefined) {
      let open = (): void => {};
      const promise = new Promise<void>((resolve) => {
        open = resolve;
      });
      this.#space = { promise, open };
    }
    return this.#space.promise;
  }

  #schedule(): void {
    this.#scheduled = true;
    settled.then(this.#deliver, this.#failed);
  }

  // One reaction delivers all frames since the last one.
  readonly #deliver = (): void => {
    try {
      const receiver = this.#receiver;
      this.#scheduled = false;
      if (receiver === undefined || this.#ended) return;
      const batch = this.#inbox;
      this.#inbox = [];
      this.#queued = 0;
      this.#space?.open();
      this.#space = undefined;
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
    let problem: string | undefined;
    try {
      value = JSON.parse(frame);
    } catch (error) {
      problem = `The frame is not JSON: ${(error as Error).message}`;
    }
    try {
      const answer: Answer =
        problem === undefined ? receiver.receive(value, this) : receiver.malformed(problem, this);
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

  /** A failing receiver ends neither the pair nor the process. */
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
      end.#space?.open();
      if (!end.#scheduled && end.#receiver !== undefined) end.#schedule();
    }
  }
}

function ignore(): void {}
