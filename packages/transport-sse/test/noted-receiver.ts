import type { Answer, Exchange, Receiver } from '@tenon/mcp-protocol';

/** A receiver that notes what it is given, and can be waited for. */
export class NotedReceiver implements Receiver {
  readonly values: unknown[] = [];
  readonly flaws: string[] = [];
  readonly ends: (Error | undefined)[] = [];
  /** What to answer a message with. */
  reply: (value: unknown, exchange: Exchange) => Answer = () => undefined;
  readonly #waiting = new Set<() => void>();

  receive(value: unknown, exchange: Exchange): Answer {
    this.values.push(value);
    this.#wake();
    return this.reply(value, exchange);
  }

  malformed(reason: string): undefined {
    this.flaws.push(reason);
    this.#wake();
  }

  closed(reason?: Error): void {
    this.ends.push(reason);
    this.#wake();
  }

  /** Waits until so many messages have come. */
  async count(number: number): Promise<unknown[]> {
    await this.until(() => this.values.length >= number);
    return this.values;
  }

  /** Waits for the end; gives its reason. */
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
