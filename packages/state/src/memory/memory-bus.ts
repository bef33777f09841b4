import { Delivery } from '../delivery.js';
import { requireTopic, requireValue } from '../keys.js';
import type { MessageBus, Subscriber } from '../state.js';

/** Messages within this process. */
export class MemoryBus implements MessageBus {
  readonly #requireOpen: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #topics = new Map<string, Set<Delivery>>();

  constructor(requireOpen: () => void, onError: (error: unknown) => void) {
    this.#requireOpen = requireOpen;
    this.#onError = onError;
  }

  async publish(topic: string, text: string): Promise<void> {
    this.#requireOpen();
    requireTopic(topic);
    requireValue(topic, text);
    for (const delivery of this.#topics.get(topic) ?? []) delivery.push(text);
  }

  async subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    this.#requireOpen();
    requireTopic(topic);
    const delivery = new Delivery(subscriber, this.#onError);
    const deliveries = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, deliveries.add(delivery));
    return async () => {
      delivery.end();
      deliveries.delete(delivery);
      if (deliveries.size === 0 && this.#topics.get(topic) === deliveries) this.#topics.delete(topic);
    };
  }

  close(): void {
    for (const deliveries of this.#topics.values()) for (const delivery of deliveries) delivery.end();
    this.#topics.clear();
  }
}
