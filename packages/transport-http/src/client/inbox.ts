import type { Answer, Exchange, Receiver } from '@tenon/mcp-protocol';
import {
  failedAnswer,
  follow,
  isNestedDeeper,
  isObject,
  isRequestId,
  numberIn,
  type RequestId,
  type UnreadId,
  unreadIdOf,
} from '@tenon/mcp-protocol';
import type { HttpLimits } from './http-limits.js';
import { IdTable } from './id-table.js';

/** Something that can be read more slowly. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** Something that waits for the answers to the requests it sent. */
export interface Awaiting {
  /** The answer to one of its requests came. */
  answered(id: RequestId): void;
}

/** What becomes of what is delivered. */
export interface InboxParts {
  readonly limits: HttpLimits;
  /** The way back that the receiver is given. */
  readonly exchange: Exchange;
  /** Sends an answer of the receiver. */
  send(frame: string): Promise<void>;
  /** False where a list of messages is none, so that it answers nothing; true by default. */
  batches?(): boolean;
}

/** Hands messages to the receiver in their order, and its answers to the server. */
export class Inbox {
  readonly #parts: InboxParts;
  readonly #awaiting = new IdTable<Awaiting>();
  readonly #paused = new Set<Pausable>();
  #leaving = 0;
  #receiver: Receiver | undefined;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  set receiver(receiver: Receiver) {
    this.#receiver = receiver;
  }

  await(id: RequestId, one: Awaiting): void {
    this.#awaiting.set(id, one);
  }

  forget(id: RequestId): void {
    this.#awaiting.delete(id);
  }

  /** What waits for the answer under an id. */
  awaiting(id: RequestId): Awaiting | undefined {
    return this.#awaiting.get(id);
  }

  /** Takes the text of one message. */
  deliverText(text: string, source: Pausable): void {
    const { maxNesting } = this.#parts.limits;
    let value: unknown;
    let flaw: string | undefined;
    let unread: UnreadId | undefined;
    try {
      value = JSON.parse(text);
      if (isNestedDeeper(value, text, maxNesting)) {
        flaw = tooDeep(maxNesting);
        unread = unreadIdOf(value);
      }
    } catch {
      flaw = 'The event is not JSON.';
    }
    if (flaw === undefined) {
      this.deliver(value, source);
      return;
    }
    if (unread?.kind === 'response') this.#note(value);
    this.#answer(this.#receiver?.malformed(flaw, this.#parts.exchange, unread), source);
  }

  /** Takes one message. */
  deliver(value: unknown, source: Pausable): void {
    this.#note(value);
    try {
      this.#answer(this.#receiver?.receive(value, this.#parts.exchange), source, value);
    } catch (error) {
      this.#failed(error, source, value);
    }
  }

  #note(value: unknown): void {
    if (Array.isArray(value)) {
      if (this.#parts.batches?.() === false) return;
      for (const one of value) if (!Array.isArray(one)) this.#note(one);
      return;
    }
    if (!isObject(value) || value.jsonrpc !== '2.0' || value.method !== undefined) return;
    // Some servers answer under the text of the number.
    const id = typeof value.id === 'string' ? (numberIn(value.id) ?? value.id) : value.id;
    if (!isRequestId(id)) return;
    const waiting = this.#awaiting.get(id);
    if (waiting === undefined) return;
    this.#awaiting.delete(id);
    waiting.answered(id);
  }

  #answer(answer: Answer, source: Pausable, message?: unknown): void {
    if (answer === undefined) return;
    if (typeof answer === 'string') this.#post(answer, source);
    else {
      const post = (frame: string | undefined) => {
        if (frame !== undefined) this.#post(frame, source);
      };
      follow(answer, post, (error) => this.#failed(error, source, message));
    }
  }

  /** A receiver that fails ends neither the connection nor the process. */
  #failed(error: unknown, source: Pausable, message: unknown): void {
    this.#receiver?.onError?.(error, 'http');
    const answer = failedAnswer(message);
    if (answer !== undefined) this.#post(answer, source);
  }

  #post(frame: string, source: Pausable): void {
    if (++this.#leaving >= this.#parts.limits.maxAnswersLeaving) {
      this.#paused.add(source);
      source.pause();
    }
    const left = () => {
      if (--this.#leaving >= this.#parts.limits.maxAnswersLeaving) return;
      const paused = [...this.#paused];
      // Before any of them goes on: it may bring so much at once that it has to stop again.
      this.#paused.clear();
      for (const one of paused) one.resume();
    };
    // A server that does not take an answer has its own time limit for it.
    follow(this.#parts.send(frame), left, left);
  }
}

/** The sentence for a message that is nested too deeply. */
export function tooDeep(levels: number): string {
  return `The message is nested in more than ${levels} levels (limit maxNesting).`;
}
