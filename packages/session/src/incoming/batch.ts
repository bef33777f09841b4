import { follow } from '@tenon/foundation';
import {
  type Answer,
  ErrorCode,
  type Exchange,
  type RequestId,
  SessionError,
  type WireError,
} from '@tenon/mcp-protocol';
import { errorFrame, failedAnswer, requestIdOf } from '@tenon/mcp-protocol/internal';

/** Returns the problem of a list of messages as a batch; undefined if it is a valid batch. */
export function batchProblem(messages: readonly unknown[], limit: number): string | undefined {
  if (messages.length === 0) return 'A batch must hold at least one message.';
  return messages.length > limit ? `A batch may hold ${limit} messages, not ${messages.length}.` : undefined;
}

/** Receives the HTTP status of rejected messages. */
export type Refusals = Pick<Exchange, 'refused'>;

/** The batch of a request, as its answer uses it. */
export interface BatchPlace extends Refusals {
  /** False if the answers have twice as many characters as may be held: no further result is written as text. */
  readonly mayMake: boolean;
  /** Counts the characters of an answer when it is written, which may be long before it is held. */
  made(characters: number): void;
  /** Returns the answer for a request with a result that is left out. */
  leftOut(id: RequestId): string;
}

/** The dependencies of a batch. */
export interface BatchHost {
  /** The answers held for the same peer, of all its batches. */
  readonly held: HeldAnswers;
  /** Answers one message. */
  receive(message: unknown, batch: BatchPlace): Answer;
  /** Called once for a batch with answers that are left out. */
  report(error: SessionError): void;
}

// The sum becomes one string, and some engines have no strings of 2 ** 28 characters.
const longest = 2 ** 28 - 2 ** 20;

/** The most characters of answers that one batch may write. */
const leastMade = 65_536;

/** Counts the characters of one peer's answers that wait for the rest of their batches. */
export class HeldAnswers {
  /** Characters that may be held at the same time. */
  readonly most: number;
  #sum = 0;

  constructor(most: number) {
    this.most = Math.min(most, longest);
  }

  /** Counts an answer. Returns false if it does not fit. */
  hold(characters: number): boolean {
    if (this.#sum + characters > this.most) return false;
    this.#sum += characters;
    return true;
  }

  release(characters: number): void {
    this.#sum -= characters;
  }
}

/**
 * Answers a batch: each message on its own, the answers in one list in the order of the messages. A rejected message
 * does not affect the answers to the others: only a batch without answers is rejected as a whole. If the answers held for the
 * peer have reached their limit, each further answer is replaced by an error, and no further request of the
 * batch is handled.
 * @returns undefined if no message expects an answer. A promise never rejects.
 */
export function answerBatch(messages: readonly unknown[], exchange: Refusals, host: BatchHost): Answer {
  const batch = new Batch(messages, host);
  for (let place = 0; place < messages.length; place++) batch.take(place);
  const answer = batch.answer();
  if (answer === undefined && batch.status !== undefined) exchange.refused?.(batch.status);
  return answer;
}

/** The answers to one batch, in the order of their completion. */
class Batch implements BatchPlace {
  /** The status of the last rejected message. */
  status: number | undefined;
  readonly #messages: readonly unknown[];
  readonly #host: BatchHost;
  readonly #frames: (string | undefined)[];
  #held = 0;
  #made = 0;
  #awaited = 0;
  #full = false;
  #done: ((answer: string | undefined) => void) | undefined;

  constructor(messages: readonly unknown[], host: BatchHost) {
    this.#messages = messages;
    this.#host = host;
    this.#frames = new Array<undefined>(messages.length).fill(undefined);
  }

  get mayMake(): boolean {
    return this.#made <= 2 * Math.max(this.#host.held.most, leastMade);
  }

  made(characters: number): void {
    this.#made += characters;
  }

  refused(status: number): void {
    this.status = status;
  }

  leftOut(id: RequestId | null): string {
    return errorFrame(id, leftOut(this.#host.held.most));
  }

  take(place: number): void {
    const message = this.#messages[place];
    const id = this.#full ? requestIdOf(message) : undefined;
    if (id !== undefined) {
      this.#frames[place] = errorFrame(id, notHandled(this.#host.held.most));
      return;
    }
    const answer = this.#host.receive(message, this);
    if (!(answer instanceof Promise)) {
      this.#keep(place, answer);
      return;
    }
    this.#awaited++;
    const answered = (frame: string | undefined) => {
      this.#keep(place, frame);
      this.#awaited--;
      if (this.#awaited === 0) this.#done?.(this.#join());
    };
    follow(answer, answered, () => answered(failedAnswer(message)));
  }

  answer(): Answer {
    if (this.#awaited === 0) return this.#join();
    return new Promise((resolve) => {
      this.#done = resolve;
    });
  }

  #keep(place: number, frame: string | undefined): void {
    if (frame === undefined) return;
    const { held } = this.#host;
    if (held.hold(frame.length)) {
      this.#held += frame.length;
      this.#frames[place] = frame;
      return;
    }
    if (!this.#full) this.#host.report(new SessionError('limit', tooLong(held.most)));
    this.#full = true;
    const instead = this.leftOut(requestIdOf(this.#messages[place]) ?? null);
    this.#frames[place] = frame.length <= instead.length ? frame : instead;
  }

  #join(): string | undefined {
    this.#host.held.release(this.#held);
    const frames = this.#frames.filter((frame) => frame !== undefined);
    return frames.length === 0 ? undefined : `[${frames.join(',')}]`;
  }
}

function tooLong(most: number): string {
  return `The answers to a batch are longer than ${most} characters (limit batchAnswers); some were left out.`;
}

function notHandled(most: number): WireError {
  const message = `This request was not handled: the answers to your batches are longer than ${most} characters in all. ${remedy}`;
  return { code: ErrorCode.overloaded, message };
}

function leftOut(most: number): WireError {
  const message = `This request was handled, but its answer was left out: the answers to your batches are longer than ${most} characters in all. ${remedy}`;
  return { code: ErrorCode.internalError, message };
}

const remedy = 'Send it on its own, or in a smaller batch.';
