import { detach, jsonIn } from '@tenon/foundation';
import type { Answer, Connection, Envelope, Exchange } from '@tenon/mcp-protocol';
import type { UnreadId } from '@tenon/mcp-protocol/internal';
import { WrappedConnection } from './wrapped-connection.js';

/** The sender of a message, in the specification's terms. */
export type Speaker = 'client' | 'server';

/** Returns the opposite end. */
export function otherThan(speaker: Speaker): Speaker {
  return speaker === 'client' ? 'server' : 'client';
}

/** One frame of a session. */
export interface WireFrame {
  readonly from: Speaker;
  /** The parsed frame; if it is not valid JSON, its text, or the transport's reason for rejecting it. */
  readonly message: unknown;
  /** The number of the connection, from 1: a client may open several, one after another. */
  readonly connection: number;
}

/** Observes the frames of one connection. */
export interface Tap {
  frame(from: Speaker, message: unknown): void;
  /** Called with a message of this end that the transport could not deliver, such as a request that HTTP answered with 400. */
  undelivered?(message: unknown): void;
  /** Called once, when the connection ends. @param by - the end that closed it; the other end if it broke */
  ended?(by: Speaker): void;
}

/** A connection that reports all its frames and changes none. */
export class TappedConnection extends WrappedConnection {
  readonly #own: Speaker;
  readonly #tap: Tap;
  #closing = false;
  #over = false;

  /** @param own - the end that holds this connection */
  constructor(inner: Connection, own: Speaker, tap: Tap) {
    super(inner);
    this.#own = own;
    this.#tap = tap;
  }

  override send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    const message = this.#said(frame);
    const sent = super.send(frame, envelope);
    if (sent !== undefined) detach(sent, () => this.#tap.undelivered?.(message));
    return sent;
  }

  override async close(): Promise<void> {
    this.#closing = true;
    await super.close();
    this.#end();
  }

  protected override received(value: unknown, exchange: Exchange): Answer {
    this.#tap.frame(otherThan(this.#own), value);
    return this.#answered(super.received(value, exchange));
  }

  protected override malformed(reason: string, exchange: Exchange, unread?: UnreadId): Answer {
    this.#tap.frame(otherThan(this.#own), reason);
    return this.#answered(super.malformed(reason, exchange, unread));
  }

  protected override closed(reason: Error | undefined): void {
    this.#end();
    super.closed(reason);
  }

  #answered(answer: Answer): Answer {
    if (answer instanceof Promise) {
      return answer.then((frame) => {
        if (frame !== undefined) this.#said(frame);
        return frame;
      });
    }
    if (answer !== undefined) this.#said(answer);
    return answer;
  }

  #said(frame: string): unknown {
    const message = jsonIn(frame, frame);
    this.#tap.frame(this.#own, message);
    return message;
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#tap.ended?.(this.#closing ? this.#own : otherThan(this.#own));
  }
}
