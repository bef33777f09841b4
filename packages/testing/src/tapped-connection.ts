import type { Answer, Connection, Envelope, Exchange } from '@tenon/mcp-protocol';
import type { UnreadId } from '@tenon/mcp-protocol/internal';
import { WrappedConnection } from './wrapped-connection.js';

/** Who said something: the specification's two ends. */
export type Speaker = 'client' | 'server';

/** The other of the two ends. */
export function otherThan(speaker: Speaker): Speaker {
  return speaker === 'client' ? 'server' : 'client';
}

/** One frame of a conversation. */
export interface WireFrame {
  readonly from: Speaker;
  /** The frame parsed; where it was no JSON, its text, or the carrier's reason for not taking it. */
  readonly message: unknown;
  /** Which connection it went over, counted from 1: a client may open several, one after another. */
  readonly connection: number;
}

/** Hears what passes over one connection. */
export interface Tap {
  frame(from: Speaker, message: unknown): void;
  /** The connection is over. Called once. @param by - who ended it; the other end where it broke. */
  ended?(by: Speaker): void;
}

/** A connection that tells all that passes over it, and changes nothing. */
export class TappedConnection extends WrappedConnection {
  readonly #own: Speaker;
  readonly #tap: Tap;
  #closing = false;
  #over = false;

  /** @param own - which end holds this connection. */
  constructor(inner: Connection, own: Speaker, tap: Tap) {
    super(inner);
    this.#own = own;
    this.#tap = tap;
  }

  override send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    this.#said(frame);
    return super.send(frame, envelope);
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

  #said(frame: string): void {
    let message: unknown = frame;
    try {
      message = JSON.parse(frame);
    } catch {
      // It is told as it is.
    }
    this.#tap.frame(this.#own, message);
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#tap.ended?.(this.#closing ? this.#own : otherThan(this.#own));
  }
}
