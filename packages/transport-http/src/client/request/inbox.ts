import { follow } from '@tenon/foundation';
import type { Answer, Exchange, Receiver, RequestId } from '@tenon/mcp-protocol';
import {
  failedAnswer,
  isNestedDeeper,
  isObject,
  isRequestId,
  numberIn,
  type UnreadId,
  unreadIdOf,
} from '@tenon/mcp-protocol/internal';
import { type HttpClientBounds, tooDeep } from './http-limits.js';
import { IdTable } from './id-table.js';

/** A source of messages that can be paused. */
export interface Pausable {
  pause(): void;
  resume(): void;
}

/** Waits for the answers to the requests of one frame. */
export interface Awaiting {
  /** Called when the answer to one of its requests has arrived. */
  answered(id: RequestId): void;
}

/** The settings and functions that an {@link Inbox} uses. */
export interface InboxParts {
  readonly limits: HttpClientBounds;
  /** The exchange that is passed to the receiver with each message. */
  readonly exchange: Exchange;
  /** Sends an answer that the receiver returned. */
  send(frame: string): Promise<void>;
  /** False in revisions without batches: an array then answers no request. Default: true. */
  batches?(): boolean;
}

/** Delivers messages to the receiver in order, and sends the receiver's answers. */
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

  /** Returns the frame that waits for the answer with an id. */
  awaiting(id: RequestId): Awaiting | undefined {
    return this.#awaiting.get(id);
  }

  /** Delivers the text of one message. */
  deliverText(text: string, source: Pausable): void {
    const { maxNesting } = this.#parts.limits;
    let value: unknown;
    let problem: string | undefined;
    let unread: UnreadId | undefined;
    try {
      value = JSON.parse(text);
      if (isNestedDeeper(value, text, maxNesting)) {
        problem = tooDeep(maxNesting);
        unread = unreadIdOf(value);
      }
    } catch {
      problem = 'The event is not JSON.';
    }
    if (problem === undefined) {
      this.deliver(value, source);
      return;
    }
    if (unread?.kind === 'response') this.#note(value);
    this.#answer(this.#receiver?.malformed(problem, this.#parts.exchange, unread), source);
  }

  /** Delivers one parsed message. */
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
    // Some servers answer with the id as a string.
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

  /** Reports an error of the receiver and answers the request, so that the connection stays usable. */
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
      // Cleared first: a source that resumes may have to be paused again immediately.
      this.#paused.clear();
      for (const one of paused) one.resume();
    };
    // Answers that a server does not accept have their own time limit.
    follow(this.#parts.send(frame), left, left);
  }
}
