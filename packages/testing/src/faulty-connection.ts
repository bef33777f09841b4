import {
  type Answer,
  type Connection,
  type Envelope,
  type Exchange,
  TransportError,
} from '@tenon/mcp-protocol';
import { detach, follow } from '@tenon/mcp-protocol/internal';
import { FaultLane } from './fault-lane.js';
import type { Faults } from './fault-plan.js';
import { WrappedConnection } from './wrapped-connection.js';

/** A connection that does to frames what a plan says. */
export class FaultyConnection extends WrappedConnection {
  readonly #outgoing: FaultLane;
  readonly #incoming: FaultLane;
  #broken = false;

  constructor(inner: Connection, faults: Faults) {
    super(inner);
    this.#outgoing = new FaultLane(faults.outgoing, () => this.#break());
    this.#incoming = new FaultLane(faults.incoming, () => this.#break());
  }

  override send(frame: string, envelope?: Envelope): Promise<void> | undefined {
    const sent = through(this.#outgoing, parsed(frame), (spoiled, isCopy) => {
      const leaving = this.inner.send(spoiledText(frame, spoiled), envelope);
      // Nobody waits for the second of two.
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
      : super.malformed('A fault spoiled the frame.', exchange);
  }

  // Answers go out on a way of their own: they are what the carrier waits for.
  #answered(answer: Answer, exchange: Exchange): Answer {
    if (answer instanceof Promise) return answer.then((frame) => this.#answered(frame, exchange));
    if (answer === undefined) return undefined;
    return through<string>(this.#outgoing, parsed(answer), (spoiled, isCopy) => {
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
    // Not at once: whoever sent the frame is not told of the end before the call has returned.
    queueMicrotask(() => super.closed(new TransportError('The connection was broken by its fault plan.')));
  }

  #stop(): void {
    this.#outgoing.stop();
    this.#incoming.stop();
  }
}

// A copy is lost without a word, like any other frame.
const ignore = (): void => {};

/**
 * What comes of a frame once it is through: at once where nothing holds it, later where something does.
 * @param pass - passes it on; the second argument is true for the second of two.
 */
function through<T>(
  lane: FaultLane,
  message: unknown,
  pass: (spoiled: number | undefined, isCopy: boolean) => T | Promise<T> | undefined,
): T | Promise<T | undefined> | undefined {
  let passed = 0;
  let outcome: T | Promise<T | undefined> | undefined;
  let settle: ((outcome: T | Promise<T | undefined> | undefined) => void) | undefined;
  let lost = false;
  lane.push(message, {
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

function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return frame;
  }
}

/** The text with one of its characters replaced by one that JSON has nowhere. */
function spoiledText(text: string, spoiled: number | undefined): string {
  if (spoiled === undefined) return text;
  const at = Math.floor(spoiled * text.length);
  return `${text.slice(0, at)}\u0000${text.slice(at + 1)}`;
}
