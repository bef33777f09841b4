import type { Readable, Writable } from 'node:stream';
import { detach } from '@tenon/foundation';
import {
  type Answer,
  type Connection,
  type Receiver,
  TransportError,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import { failedAnswer, isNestedDeeper, type UnreadId, unreadIdOf } from '@tenon/mcp-protocol/internal';
import { FrameWriter } from './frame-writer.js';
import { type Framing, within } from './framing-options.js';
import { type BrokenLine, LineReader } from './line-reader.js';
import { unreadIdIn } from './unread-id.js';

/** The end of a connection. */
export interface Ending {
  /** True if `close` was called at this end. */
  readonly ours: boolean;
  /** The error of a stream that failed. */
  readonly cause: Error | undefined;
  /** The reason if this end abandoned the peer. */
  readonly gaveUp: Error | undefined;
  /** True if at least one message was received. */
  readonly hasReceived: boolean;
  /** The lines that were received before that. */
  readonly strayLines: readonly string[];
}

/** The two streams of a connection, and the function that ends them. */
export interface FramedEnds {
  readonly input: Readable;
  readonly output: Writable;
  /** Writes to the output if `output.write` is replaced. */
  readonly write?: Writable['write'];
  /** Ends the streams; resolves with the reason for the receiver. Called once, never rejects. */
  release(ending: Ending): Promise<Error | undefined>;
}

const facts: TransportFacts = Object.freeze({ transport: 'stdio' });
/** Bytes read from a peer that does not read itself, so that the end of its stream is noticed soon. */
const lookahead = 65_536;

/** Lines in place of the first message that are kept for error texts, and the characters of each. */
const mostStrayLines = 5;
const longestStrayLine = 200;

/** Lines delivered in one turn of the event loop, so that a flood on one connection does not stop the others. */
const mostInOneTurn = 1_024;

/** Messages as lines of JSON over two streams. */
export class FramedConnection implements Connection {
  readonly facts: TransportFacts = facts;
  readonly #ends: FramedEnds;
  readonly #framing: Framing;
  readonly #reader: LineReader;
  readonly #writer: FrameWriter;
  #receiver: Receiver | undefined;
  #awaited = 0;
  /** Bytes that arrived while the peer did not read. */
  #ahead = 0;
  #hasReceived = false;
  #strayLines: string[] | undefined;
  #inputEnded = false;
  #taken = 0;
  #resting = false;
  /** An end before the receiver started; messages received before it are delivered first. */
  #early: { readonly cause: Error | undefined } | undefined;
  #cancelGrace: (() => void) | undefined;
  #gaveUp: Error | undefined;
  #finished: Promise<void> | undefined;
  #reported: { readonly reason: Error | undefined } | undefined;

  constructor(ends: FramedEnds, framing: Framing) {
    this.#ends = ends;
    this.#framing = framing;
    this.#reader = new LineReader(framing.maxLineBytes);
    this.#writer = new FrameWriter(
      { ...ends, maxQueued: framing.maxQueued },
      { drained: () => this.#resume(), overflowed: () => this.#overflow() },
    );
    // Listen immediately: when a child exits, Node discards data that has no reader.
    ends.input.pause();
    ends.input.on('data', this.#onData).on('end', this.#onEnd);
    ends.input.on('error', this.#onInputError).on('close', this.#onInputClose);
    ends.output.on('error', this.#onOutputError).on('close', this.#onOutputClose);
  }

  start(receiver: Receiver): void {
    if (this.#receiver !== undefined) throw new TypeError('This connection has been started already.');
    this.#receiver = receiver;
    const { input } = this.#ends;
    if (this.#reported !== undefined) receiver.closed(this.#reported.reason);
    if (this.#finished !== undefined) return;
    if (this.#early === undefined) this.#pump();
    else this.#takeAll();
    if (this.#early !== undefined && !this.#inputEnded) this.#end(this.#early.cause);
    else if (input.readableEnded || input.destroyed) this.#onEnd();
    else if (!this.#full && !this.#resting) input.resume();
  }

  get strayLines(): readonly string[] {
    const unfinished = this.#hasReceived ? '' : this.#reader.unfinished.trim();
    const lines = this.#strayLines ?? [];
    return unfinished === '' || lines.length >= mostStrayLines ? lines : [...lines, cut(unfinished)];
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

  /** True while this end does not read because the peer does not. */
  get #stalled(): boolean {
    return this.#writer.blocked && !this.#framing.readWhileBlocked;
  }

  /** True if no more may be read from such a peer. */
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

  /** Continues after all other work of this turn. */
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
      let problem: string | undefined;
      let unread: UnreadId | undefined;
      try {
        value = JSON.parse(line);
        if (isNestedDeeper(value, line, this.#framing.maxNesting)) {
          problem = this.#tooDeep();
          unread = unreadIdOf(value);
        }
      } catch (error) {
        problem = this.#inputEnded ? 'The input ended inside the line.' : notJson(error);
      }
      if (problem === undefined) {
        if (!this.#hasReceived) this.#first(value, line);
        this.#hand(receiver, value);
        return;
      }
      answer = this.#refuse(receiver, { problem, text: line }, unread);
    } else answer = this.#refuse(receiver, line, line.tooLong && unreadIdIn(line.text));
    this.#reply(answer, undefined);
  }

  /** Records the first message, or a line in place of it. Loggers write objects too. */
  #first(value: unknown, line: string): void {
    if (typeof value === 'object' && value !== null && ('jsonrpc' in value || Array.isArray(value)))
      this.#hasReceived = true;
    else this.#keepStray(line);
  }

  #keepStray(line: string): void {
    this.#strayLines ??= [];
    if (this.#strayLines.length < mostStrayLines) this.#strayLines.push(cut(line.trim()));
  }

  /** Delivers a message and sends its answer. A failing receiver ends neither the connection nor the process. */
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

  /** @param unread - the message that the line contains, if known. */
  #refuse(receiver: Receiver, { problem, text }: BrokenLine, unread: UnreadId | undefined): Answer {
    const { onStrayLine } = this.#framing;
    if (!this.#hasReceived) this.#keepStray(text);
    if (onStrayLine === undefined || unread !== undefined) return receiver.malformed(problem, this, unread);
    onStrayLine(text.slice(0, 1024), problem);
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

  /** After the end of the input: delivers the remaining lines, and waits for pending answers. */
  #settle(dry: boolean): void {
    if (this.#finished !== undefined) return;
    if ((dry && this.#awaited === 0) || !this.#ends.output.writable) this.#end(undefined);
    else this.#finishLater(undefined);
  }

  #finishLater(cause: Error | undefined): void {
    const { delay, endGraceMs } = this.#framing;
    // One more turn of the loop, so that data that arrived during a long turn is read first.
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

  /** Delivers everything received before the input broke, without pauses: nothing follows it. */
  #takeAll(): void {
    this.#resting = false;
    this.#taken = Number.NEGATIVE_INFINITY;
    this.#pump();
  }

  readonly #onOutputError = (error: Error): void => {
    if (this.#finished !== undefined) return;
    // The peer's last messages can still be read, and explain more than the error.
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

  /** Ends because the peer ended, or because a stream broke. */
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
    const reason = await this.#ends.release({
      ours,
      cause,
      gaveUp: this.#gaveUp,
      hasReceived: this.#hasReceived,
      strayLines: this.strayLines,
    });
    input.off('end', this.#onEnd).off('error', this.#onInputError).off('close', this.#onInputClose);
    output.off('error', this.#onOutputError).off('close', this.#onOutputClose);
    for (const stream of [input, output]) swallowLateError(stream);
    this.#reported = { reason };
    this.#receiver?.closed(reason);
  }
}

function cut(line: string): string {
  return line.length > longestStrayLine ? `${line.slice(0, longestStrayLine)}...` : line;
}

function notJson(error: unknown): string {
  return `The line is not JSON: ${error instanceof Error ? error.message : String(error)}`;
}

/** Ignores errors of a write that fails after the connection has ended. */
function swallowLateError(stream: Readable | Writable): void {
  const underWay = 'writableLength' in stream && stream.writableLength > 0;
  if (!stream.closed && (stream.destroyed || underWay)) stream.once('error', () => {});
}
