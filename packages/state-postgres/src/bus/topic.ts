import { detach } from '@tenon/foundation';
import { stateLimits } from '@tenon/mcp-state';
import type { Delivery } from '@tenon/mcp-state/adapter';
import type { Notification } from './notification.js';

interface Received {
  readonly notification: Notification;
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

  receive(notification: Notification): void {
    if (!this.#busy && notification.text !== undefined) {
      for (const delivery of this.deliveries) delivery.push(notification.text);
      return;
    }
    if (this.#waiting.length >= stateLimits.queuedMessages) {
      this.lose();
      return;
    }
    this.#waiting.push({ notification, deliveries: [...this.deliveries] });
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
      for (const { notification, deliveries } of batch) {
        const text = notification.text ?? (await this.#textOf(notification));
        for (const delivery of deliveries)
          if (text === undefined) delivery.lose();
          else delivery.push(text);
      }
    }
    this.#busy = false;
  }

  async #textOf({ id = '' }: Notification): Promise<string | undefined> {
    try {
      return await this.#fetch(id);
    } catch {
      return undefined;
    }
  }
}
