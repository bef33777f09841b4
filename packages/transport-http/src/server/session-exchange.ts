import {
  ErrorCode,
  type Exchange,
  type HttpRefusal,
  httpStatusOf,
  type Principal,
} from '@tenon/mcp-protocol';
import { CallFacts } from './call-facts.js';
import type { EventStream } from './event-stream.js';
import type { Beating } from './heartbeat.js';
import type { HttpCall } from './http-call.js';
import type { HttpSession } from './http-session.js';
import { errorHeaders, jsonHeaders } from './refusal.js';
import { demandOf, sendDemand } from './scopes-lacking.js';

/** What is known of the sender of one message. */
export interface SessionExchangeFacts {
  /** As this request says: scopes may have changed since the session was opened. */
  readonly principal: Principal | undefined;
  /** Nothing but the answer may leave. */
  readonly answersOnly: boolean;
}

/**
 * One POST of a session, from message to answer: JSON if nothing goes ahead of the answer, else an event stream. That
 * its connection breaks cancels nothing: the client comes back for the rest.
 */
export class SessionExchange extends CallFacts implements Exchange, Beating {
  readonly answersOnly: boolean;
  readonly caller: string | undefined;
  readonly #session: HttpSession;
  #stream: EventStream | undefined;
  #waited = false;
  #status = 200;
  #refusal: { readonly status: number; readonly wait: number } | undefined;
  #demand: HttpRefusal | undefined;

  constructor(call: HttpCall, session: HttpSession, { principal, answersOnly }: SessionExchangeFacts) {
    super(call, principal);
    this.#session = session;
    this.caller = session.holder?.name;
    this.answersOnly = answersOnly;
  }

  send(frame: string): Promise<void> | undefined {
    return this.answersOnly ? undefined : this.#begun().send(frame);
  }

  release(retry: number | undefined): void {
    if (!this.answersOnly) this.#begun().release(retry);
  }

  refused(status: number): void {
    this.#status = status;
  }

  // Other errors of handlers have no status of their own in sessions; before a session is open, too much work has.
  failed(code: number, wait = 1_000): void {
    const isOpening = this.#session.revision === undefined;
    if (code === ErrorCode.rateLimited || (code === ErrorCode.overloaded && isOpening))
      this.#refusal = { status: httpStatusOf(code), wait };
  }

  scopesLacking(scopes: readonly string[]): void {
    this.#demand = demandOf(this.call, scopes, this.principal);
  }

  /**
   * Sends the answer; undefined when there is none: to what was no request, or to one that was cancelled.
   * @param expected - there should have been one.
   */
  finish(frame: string | undefined, expected: boolean): void {
    if (this.#stream !== undefined) this.#stream.finish(frame);
    else if (this.call.closed) return;
    else if (frame !== undefined) {
      // A batch is answered whatever became of its requests.
      const alone = !frame.startsWith('[');
      if (alone && this.#demand !== undefined) sendDemand(this.call, this.#demand, frame);
      else if (this.#refusal === undefined || !alone) this.call.send(this.#status, jsonHeaders, frame);
      else {
        const { status, wait } = this.#refusal;
        this.call.send(status, errorHeaders(status, wait), frame);
      }
    } else if (expected && !this.answersOnly) this.#begun().finish(undefined);
    else this.call.send(this.#status === 200 ? 202 : this.#status, {});
  }

  // A client that waits this long is told where it can come back to. Its session keeps the stream alive from then on.
  beat(_now: number, isDue: boolean): void {
    if (!isDue || this.answersOnly || this.call.closed || this.#stream !== undefined) return;
    if (this.#waited) this.#begun();
    this.#waited = true;
  }

  #begun(): EventStream {
    this.#stream ??= this.#session.openStream(this.call);
    return this.#stream;
  }
}
