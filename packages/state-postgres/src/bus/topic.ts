import { detach } from '@tenon/mcp-protocol/internal';
import { stateLimits } from '@tenon/mcp-state';
import type { Delivery } from '@tenon/mcp-state/adapter';
import type { Notice } from './notice.js';

interface Received {
  readonly notice: Notice;
  /** The subscribers at the time of the notification. */
  readonly deliveries: readonly Delivery[];
}

/** The subscribers of one topic. Messages that follow a large one wait until its text has been fetched. */
export class Topic {
  readonly deliveries: Set<Delivery> = new Set<Delivery>();
  readonly #fetch: (id: string) => Promise<string | undefined>;
  #waiting: Received[] = [];
  #busy = false;

  /** @param fetch - returns the text of a large message; undefined if it is gone. */
  constructor(fetch: (id: string) => Promise<string | undefined>) {
    this.#fetch = fetch;
  }

  receive(notice: Notice): void {
    if (!this.#busy && notice.text !== undefined) {
      for (const delivery of this.deliveries) delivery.push(notice.text);
      return;
    }
    if (this.#waiting.length >= stateLimits.queuedMessages) {
      this.lose();
      return;
    }
    this.#waiting.push({ notice, deliveries: [...this.deliveries] });
    if (this.#busy) return;
    this.#busy = true;
    detach(this.#run(), () => this.lose());
  }

  /** Drops what waits, and reports a gap to all subscribers. */
  lose(): void {
    this.#waiting = [];
    for (const delivery of this.deliveries) delivery.lose();
  }

  async #run(): Promise<void> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      if (batch.length === 0) break;
      for (const { notice, deliveries } of batch) {
        const text = notice.text ?? (await this.#textOf(notice));
        for (const delivery of deliveries)
          if (text === undefined) delivery.lose();
          else delivery.push(text);
      }
    }
    this.#busy = false;
  }

  async #textOf({ id = '' }: Notice): Promise<string | undefined> {
    try {
      return await this.#fetch(id);
    } catch {
      return undefined;
    }
  }
}
