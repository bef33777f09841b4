import type { Readable, Writable } from 'node:stream';
import {
  type Answer,
  type CarrierFacts,
  type Connection,
  type Receiver,
  TransportError,
} from '@tenon/mcp-protocol';
import {
  detach,
  failedAnswer,
  isNestedDeeper,
  type UnreadId,
  unreadIdOf,
} from '@tenon/mcp-protocol/internal';
import { within } from './delay.js';
import { FrameWriter } from './frame-writer.js';
import type { Framing } from './framing-options.js';
import { type BrokenLine, LineReader } from './line-reader.js';
import { unreadIdIn } from './unread-id.js';

/** How a connection came to its end. */
export interface Ending {
  /** True when `close` was called at this end. */
  readonly ours: boolean;
  /** The failure of a stream, where one failed. */
  readonly cause: Error | undefined;
  /** Why this end gave the other up, where it did. */
  readonly gaveUp: Error | undefined;
  /** True when at least one message had come in. */
  readonly heard: boolean;
}

/** The two streams of a connection and what becomes of them. */
export interface FramedEnds {
  readonly input: Readable;
  readonly output: Writable;
  /** Writes to the output where `output.write` has been given to somebody else. */
  readonly write?: Writable['write'];
  /** Gives the streams up; what it returns is the reason the receiver is told. Called once, never rejects. */
  release(ending: Ending): Promise<Error | undefined>;
}

const noFacts: CarrierFacts = Object.freeze({});
/** Bytes read of a peer that does not read itself: its end among them is noticed, however long it leaves the rest. */
const lookahead = 65_536;

/** Lines taken before everything else in this process has its turn: a flood on one connection must not stop the others. */
const mostInOneTurn = 1_024;

/** Messages as lines of JSON over two streams. */
export class FramedConnection implements Connection {
  readonly facts: CarrierFacts = noFacts;
  readonly #ends: FramedEnds;
  readonly #framing: Framing;
  readonly #reader: LineReader;
  readonly #writer: FrameWriter;
  #receiver: Receiver | undefined;
  #awaited = 0;
  /** Bytes that came in while the peer did not read. */
  #ahead = 0;
  #heard = false;
  #inputEnded = false;
  #taken = 0;
  #resting = false;
  /** An end that came before anybody listened; what had come in before it is delivered first. */
  #early: { readonly cause: Error | undefined } | undefined;
  #cancelGrace: (() => void) | undefined;
  #gaveUp: Error | undefined;
  #finished: Promise<void> | undefined;
  #told: { readonly reason: Error | undefined } | undefined;

  constructor(ends: FramedEnds, framing: Framing) {
    this.#ends = ends;
    this.#framing = framing;
    this.#reader = new LineReader(framing.maxLineBytes);
    this.#writer = new FrameWriter(
      { ...ends, maxQueued: framing.maxQueued },
      { drained: () => this.#resume(), overflowed: () => this.#overflow() },
    );
    // Listening from the first moment: a child's exit makes Node discard what nobody reads.
    ends.input.pause();
    ends.input.on('data', this.#onData).on('end', this.#onEnd);
    ends.input.on('error', this.#onInputError).on('close', this.#onInputClose);
    ends.output.on('error', this.#onOutputError).on('close', this.#onOutputClose);
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    const { input } = this.#ends;
    if (this.#told !== undefined) receiver.closed(this.#told.reason);
    if (this.#finished !== undefined) return;
    if (this.#early === undefined) this.#pump();
    else this.#takeAll();
    if (this.#early !== undefined && !this.#inputEnded) this.#end(this.#early.cause);
    else if (input.readableEnded || input.destroyed) this.#onEnd();
    else if (!this.#full && !this.#resting) input.resume();
  }

  send(frame: string): Promise<void> | undefined {
    return this.#writer.send(frame);
  }

  close(): Promise<void> {
    return this.#finish(true, undefined);
  }

  readonly #onData = (chunk: Buffer | string): void => {
    this.#reader.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
    if (this.#stalled) this.#ahead += chunk.length;
    this.#pump();
  };

  /** True while a peer that does not read is not read from either. */
  get #stalled(): boolean {
    return this.#writer.blocked && !this.#framing.readWhileBlocked;
  }

  /** True once nothing more is to be read of such a peer. */
  get #full(): boolean {
    return this.#ahead >= lookahead && this.#stalled;
  }

  #pump(): void {
    if (this.#receiver === undefined || this.#resting) return;
    let dry = false;
    while (!dry && this.#finished === undefined && !this.#stalled && this.#taken < mostInOneTurn) {
      const line = this.#reader.next();
      if (line === undefined) dry = true;
      else {
        this.#taken++;
        this.#ahead = 0;
        this.#deliver(this.#receiver, line);
      }
    }
    if (dry) this.#ahead = 0;
    if (this.#taken >= mostInOneTurn) this.#rest();
    else if (this.#inputEnded) this.#settle(dry);
    else if (this.#full) this.#ends.input.pause();
  }

  /** Goes on once everything else has had its turn. */
  #rest(): void {
    if (this.#finished !== undefined) return;
    this.#resting = true;
    this.#ends.input.pause();
    setImmediate(() => {
      this.#resting = false;
      this.#taken = 0;
      this.#resume();
    });
  }

  #resume(): void {
    this.#pump();
    const waits = this.#full || this.#resting;
    if (this.#receiver !== undefined && this.#finished === undefined && !waits) this.#ends.input.resume();
  }

  #deliver(receiver: Receiver, line: string | BrokenLine): void {
    let answer: Answer;
    if (typeof line === 'string') {
      let value: unknown;
      let flaw: string | undefined;
      let unread: UnreadId | undefined;
      try {
        value = JSON.parse(line);
        if (isNestedDeeper(value, line, this.#framing.maxNesting)) {
          flaw = this.#tooDeep();
          unread = unreadIdOf(value);
        }
      } catch (error) {
        flaw = this.#inputEnded ? 'The input ended inside the line.' : notJson(error);
      }
      if (flaw === undefined) {
        this.#heard = true;
        this.#hand(receiver, value);
        return;
      }
      answer = this.#refuse(receiver, { flaw, text: line }, unread);
    } else answer = this.#refuse(receiver, line, line.tooLong && unreadIdIn(line.text));
    this.#reply(answer, undefined);
  }

  /** Has a message answered. That a receiver fails ends neither the connection nor the process. */
  #hand(receiver: Receiver, message: unknown): void {
    try {
      this.#reply(receiver.receive(message, this), message);
    } catch (error) {
      this.#failed(error, message);
    }
  }

  #reply(answer: Answer, message: unknown): void {
    if (typeof answer === 'string') this.#writer.write(answer);
    else if (answer !== undefined) {
      this.#awaited++;
      answer.then(this.#onAnswer, (error: unknown) => {
        this.#failed(error, message);
        this.#onAnswer(undefined);
      });
    }
  }

  #failed(error: unknown, message?: unknown): void {
    this.#receiver?.onError?.(error, 'stdio');
    const answer = failedAnswer(message);
    if (answer !== undefined) this.#writer.write(answer);
  }

  /** @param unread - which message the line is, where that is known. */
  #refuse(receiver: Receiver, { flaw, text }: BrokenLine, unread: UnreadId | undefined): Answer {
    const { onStrayLine } = this.#framing;
    if (onStrayLine === undefined || unread !== undefined) return receiver.malformed(flaw, this, unread);
    onStrayLine(text.slice(0, 1024), flaw);
    return undefined;
  }

  #tooDeep(): string {
    return `The message is nested in more than ${this.#framing.maxNesting} levels.`;
  }

  readonly #onAnswer = (frame: string | undefined): void => {
    try {
      if (frame !== undefined) this.#writer.write(frame);
      this.#awaited--;
      if (this.#inputEnded) this.#pump();
    } catch (error) {
      this.#failed(error);
    }
  };

  readonly #onEnd = (): void => {
    if (this.#inputEnded) return;
    this.#reader.end();
    this.#inputEnded = true;
    this.#pump();
  };

  /** After the input's end: lines not read yet and answers under way have a last chance. */
  #settle(dry: boolean): void {
    if (this.#finished !== undefined) return;
    if ((dry && this.#awaited === 0) || !this.#ends.output.writable) this.#end(undefined);
    else this.#finishLater(undefined);
  }

  #finishLater(cause: Error | undefined): void {
    const { delay, endGraceMs } = this.#framing;
    // One more turn of the loop, so that what arrived during a long one is read before.
    this.#cancelGrace ??= delay(endGraceMs, () => setImmediate(() => this.#end(cause)));
  }

  readonly #onInputError = (error: Error): void => {
    this.#takeAll();
    this.#end(error);
  };

  readonly #onInputClose = (): void => {
    if (this.#inputEnded) return;
    this.#takeAll();
    this.#end(undefined);
  };

  /** What came in before the input broke is delivered first: nothing follows it, so it is no flood. */
  #takeAll(): void {
    this.#resting = false;
    this.#taken = Number.NEGATIVE_INFINITY;
    this.#pump();
  }

  readonly #onOutputError = (error: Error): void => {
    if (this.#finished !== undefined) return;
    // What the peer wrote before it went away can still be read, and says more.
    if (!this.#framing.readWhileBlocked || this.#inputEnded) this.#end(error);
    else this.#finishLater(error);
  };

  readonly #onOutputClose = (): void =>
    this.#onOutputError(new TransportError('The peer closed the connection.'));

  #overflow(): void {
    const bound = this.#framing.maxQueued;
    this.#gaveUp ??= new TransportError(
      `The peer left more than ${bound} characters unread (limit maxQueued); it was given up.`,
    );
    this.#end(this.#gaveUp);
  }

  /** Ends because the peer did, or because a stream broke. */
  #end(cause: Error | undefined): void {
    detach(this.#finish(false, cause), (error) => this.#failed(error));
  }

  #finish(ours: boolean, cause: Error | undefined): Promise<void> {
    if (!ours && this.#receiver === undefined) {
      this.#early ??= { cause };
      return Promise.resolve();
    }
    this.#finished ??= this.#shutDown(ours, cause);
    return this.#finished;
  }

  async #shutDown(ours: boolean, cause: Error | undefined): Promise<void> {
    const { input, output } = this.#ends;
    this.#cancelGrace?.();
    input.off('data', this.#onData);
    input.pause();
    if (cause === undefined)
      await within(this.#writer.flush(), this.#framing.flushWaitMs, this.#framing.delay);
    this.#writer.stop();
    const reason = await this.#ends.release({ ours, cause, gaveUp: this.#gaveUp, heard: this.#heard });
    input.off('end', this.#onEnd).off('error', this.#onInputError).off('close', this.#onInputClose);
    output.off('error', this.#onOutputError).off('close', this.#onOutputClose);
    for (const stream of [input, output]) swallowLateError(stream);
    this.#told = { reason };
    this.#receiver?.closed(reason);
  }
}

function notJson(error: unknown): string {
  return `The line is not JSON: ${error instanceof Error ? error.message : String(error)}`;
}

/** A write that was under way may still fail when nobody is left to hear of it. */
function swallowLateError(stream: Readable | Writable): void {
  const underWay = 'writableLength' in stream && stream.writableLength > 0;
  if (!stream.closed && (stream.destroyed || underWay)) stream.once('error', () => {});
}
