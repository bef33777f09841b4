import type { Answer, Exchange, Receiver } from '@tenon/mcp-protocol';

/** A receiver that records its calls. */
export declare class Recorder implements Receiver {
  readonly values: unknown[];
  readonly problems: string[];
  readonly ends: (Error | undefined)[];
  /** Makes the answer to a message. */
  reply: (value: unknown, exchange: Exchange) => Answer;
  receive(value: unknown, exchange: Exchange): Answer;
  malformed(reason: string): undefined;
  closed(reason?: Error): void;
  /** Waits until this many messages have arrived. */
  count(number: number): Promise<unknown[]>;
  /** Waits for the end of the connection. */
  end(): Promise<Error | undefined>;
  until(condition: () => boolean): Promise<void>;
}
