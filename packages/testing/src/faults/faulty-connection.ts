import { detach, follow, jsonIn } from '@tenon/foundation';
import {
  type Answer,
  type Connection,
  type Envelope,
  type Exchange,
  TransportError,
} from '@tenon/mcp-protocol';
import { WrappedConnection } from '../connections/wrapped-connection.js';
import { FaultyDirection } from './faulty-direction.js';
import type { Faults } from './plan.js';

/** A connection that applies the faults of a plan to its frames. */
export class FaultyConnection extends WrappedConnection {
  readonly #outgoing: FaultyDirection;
  readonly #incoming: FaultyDirection;
  #broken = false;

  constructor(inner: Connection, faults: Faults) {
    super(inner);
    this.#outgoing = new FaultyDirection(faults.outgoing, () => this.#break());
    this.#incoming = new FaultyDirection(faults.incoming, () => this.#break());
  }

  override send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    const sent = through(this.#outgoing, jsonIn(frame, frame), (spoiled, isCopy) => {
      const leaving = this.inner.send(spoiledText(frame, spoiled), envelope);
      // No caller waits for the second copy.
      if (isCopy) leaving?.catch(() => undefined);
      return leaving;
    });
    return sent instanceof Promise ? sent.then(() => undefined) : undefined;
  }

  override async close(): Promise<void> {
    this.#outgoing.flush();
    this.#stop();
    await super.close();
  }

  protected override received(value: unknown, exchange: Exchange): Answer {
    return through<string | undefined>(this.#incoming, value, (spoiled, isCopy) => {
      const answer = this.#answered(this.#deliver(value, spoiled, exchange), exchange);
      if (!isCopy) return answer;
      const resend = (frame: string | undefined) => {
        if (frame !== undefined) detach(exchange.send(frame), ignore);
      };
      follow(Promise.resolve(answer), resend, ignore);
      return undefined;
    });
  }

  protected override closed(reason: Error | undefined): void {
    if (this.#broken) return;
    this.#incoming.flush();
    this.#stop();
    super.closed(reason);
  }

  #deliver(value: unknown, spoiled: number | undefined, exchange: Exchange): Answer {
    return spoiled === undefined
      ? super.received(value, exchange)
      : super.malformed('A fault of the plan damaged the frame.', exchange);
  }

  // Responses take a path of their own: the transport waits for them.
  #answered(answer: Answer, exchange: Exchange): Answer {
    if (answer instanceof Promise) return answer.then((frame) => this.#answered(frame, exchange));
    if (answer === undefined) return undefined;
    return through<string>(this.#outgoing, jsonIn(answer, answer), (spoiled, isCopy) => {
      const frame = spoiledText(answer, spoiled);
      if (isCopy) exchange.send(frame)?.catch(() => undefined);
      return frame;
    });
  }

  #break(): void {
    if (this.#broken) return;
    this.#broken = true;
    this.#stop();
    this.inner.close().catch(() => undefined);
    // Deferred: the sender of the frame sees the end only after its call has returned.
    queueMicrotask(() => super.closed(new TransportError('The connection was broken by its fault plan.')));
  }

  #stop(): void {
    this.#outgoing.stop();
    this.#incoming.stop();
  }
}

// A lost copy is not reported, like any other lost frame.
const ignore = (): void => {};

/**
 * Sends a frame in one direction. Returns the result at once if nothing holds the frame back, otherwise a promise.
 * @param pass - delivers the frame; the second argument is true for the second copy
 */
function through<T>(
  direction: FaultyDirection,
  message: unknown,
  pass: (spoiled: number | undefined, isCopy: boolean) => T | Promise<T> | undefined,
): T | Promise<T | undefined> | undefined {
  let passed = 0;
  let outcome: T | Promise<T | undefined> | undefined;
  let settle: ((outcome: T | Promise<T | undefined> | undefined) => void) | undefined;
  let lost = false;
  direction.push(message, {
    pass(spoiled) {
      const came = pass(spoiled, passed++ > 0);
      if (passed > 1) return;
      outcome = came;
      settle?.(came);
    },
    lost() {
      lost = true;
      settle?.(undefined);
    },
  });
  if (passed > 0 || lost) return outcome;
  return new Promise((resolve) => {
    settle = resolve;
  });
}

/** Returns the text with one character replaced by one that is invalid anywhere in JSON. */
function spoiledText(text: string, spoiled: number | undefined): string {
  if (spoiled === undefined) return text;
  const at = Math.floor(spoiled * text.length);
  return `${text.slice(0, at)}\u0000${text.slice(at + 1)}`;
}
