import type { Answer, Exchange, Receiver } from '@tenon/mcp-protocol';

/** A receiver that records its calls. */
export class Recorder implements Receiver {
  readonly values: unknown[] = [];
  readonly problems: string[] = [];
  readonly ends: (Error | undefined)[] = [];
  /** Makes the answer to a message. */
  reply: (value: unknown, exchange: Exchange) => Answer = () => undefined;
  readonly #waiting = new Set<() => void>();

  receive(value: unknown, exchange: Exchange): Answer {
    this.values.push(value);
    this.#wake();
    return this.reply(value, exchange);
  }

  malformed(reason: string): undefined {
    this.problems.push(reason);
    this.#wake();
  }

  closed(reason?: Error): void {
    this.ends.push(reason);
    this.#wake();
  }

  /** Waits until this many messages have arrived. */
  async count(number: number): Promise<unknown[]> {
    await this.until(() => this.values.length >= number);
    return this.values;
  }

  /** Waits for the end of the connection. */
  async end(): Promise<Error | undefined> {
    await this.until(() => this.ends.length > 0);
    return this.ends[0];
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
