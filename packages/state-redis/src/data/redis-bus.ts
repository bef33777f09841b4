import { detach } from '@tenon/foundation';
import type { MessageBus, Subscriber } from '@tenon/mcp-state';
import { Delivery, requireTopic, requireValue } from '@tenon/mcp-state/adapter';
import type { Commands } from '../connection/commands.js';
import type { Link } from '../connection/link.js';
import type { ChannelListener, Wire } from '../connection/wire.js';
import type { KeyLayout } from '../key-layout.js';

/** The parts that {@link RedisBus} works with. */
export interface BusParts {
  readonly commands: Commands;
  readonly keys: KeyLayout;
  /** The connection for subscriptions. It prepares wires with {@link RedisBus.resubscribe}. */
  readonly link: Link;
  /** Receives errors that subscribers throw. */
  readonly onError: (error: unknown) => void;
}

/** The subscribers of one channel in this process. */
interface Topic {
  readonly channel: string;
  readonly deliveries: Set<Delivery>;
  /** The wire that is subscribed. */
  on: Wire | undefined;
  /** The last change of the subscription: changes of one channel do not overlap. */
  settled: Promise<void>;
}

/** Channels of one SUBSCRIBE when a connection is new. */
const batch = 500;

/** Messages between processes, by pub/sub. Each channel is subscribed once, whatever the number of subscribers. */
export class RedisBus implements MessageBus {
  readonly #commands: Commands;
  readonly #keys: KeyLayout;
  readonly #link: Link;
  readonly #onError: (error: unknown) => void;
  readonly #topics = new Map<string, Topic>();
  /** The newest wire, and the listener of its messages. */
  #wire: Wire | undefined;
  #listener: ChannelListener = () => {};

  constructor({ commands, keys, link, onError }: BusParts) {
    this.#commands = commands;
    this.#keys = keys;
    this.#link = link;
    this.#onError = onError;
  }

  async publish(topic: string, text: string): Promise<void> {
    this.#commands.requireOpen();
    requireTopic(topic);
    requireValue(topic, text);
    await this.#commands.publish(this.#keys.channel(topic), text);
  }

  async subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    this.#commands.requireOpen();
    requireTopic(topic);
    const delivery = new Delivery(subscriber, this.#onError);
    const entry = this.#topicOf(this.#keys.channel(topic));
    entry.deliveries.add(delivery);
    const end = async () => {
      delivery.end();
      if (entry.deliveries.delete(delivery) && entry.deliveries.size === 0) await this.#change(entry);
    };
    try {
      await this.#change(entry);
    } catch (error) {
      await end();
      throw error;
    }
    return end;
  }

  /** Subscribes to all channels on a new wire. Subscribers that were subscribed before receive a gap. */
  async resubscribe(wire: Wire): Promise<void> {
    // Messages of the last wire are dropped from here on, so that none arrives twice.
    this.#wire = wire;
    this.#listener = (text, channel) => this.#receive(wire, text, channel);
    const topics = [...this.#topics.values()].filter(({ deliveries }) => deliveries.size > 0);
    const interrupted = topics.filter(({ on }) => on !== undefined);
    for (const topic of topics) topic.on = wire;
    for (let from = 0; from < topics.length; from += batch) {
      const channels = topics.slice(from, from + batch).map(({ channel }) => channel);
      await wire.subscribe(channels, this.#listener);
    }
    for (const { deliveries } of interrupted) for (const delivery of deliveries) delivery.lose();
  }

  close(): void {
    for (const { deliveries } of this.#topics.values()) for (const delivery of deliveries) delivery.end();
    this.#topics.clear();
  }

  #topicOf(channel: string): Topic {
    const known = this.#topics.get(channel);
    if (known !== undefined) return known;
    const topic: Topic = { channel, deliveries: new Set(), on: undefined, settled: Promise.resolve() };
    this.#topics.set(channel, topic);
    return topic;
  }

  #receive(wire: Wire, text: string, channel: string): void {
    if (wire !== this.#wire) return;
    const topic = this.#topics.get(channel);
    if (topic !== undefined) for (const delivery of topic.deliveries) delivery.push(text);
    // The last subscriber left while the wire was opened.
    else detach(wire.unsubscribe(channel, this.#listener), this.#onError);
  }

  /** Subscribes to a channel or leaves it, after earlier changes. */
  #change(topic: Topic): Promise<void> {
    const change = async () => {
      await topic.settled;
      await (topic.deliveries.size > 0 ? this.#enter(topic) : this.#leave(topic));
    };
    const changed = change();
    topic.settled = changed.catch(() => {});
    return changed;
  }

  async #enter(topic: Topic): Promise<void> {
    const link = this.#link;
    do {
      // A cluster that lost a node is being opened again: the subscription would end with its wire.
      if (link.wire !== undefined && !link.isUp) throw link.unavailable();
      await this.#commands.run(link, async (wire) => {
        if (topic.on === wire) return;
        await wire.subscribe([topic.channel], this.#listener);
        if (wire === this.#wire) topic.on = wire;
      });
    } while (topic.on !== this.#wire);
  }

  /** Never rejects: a subscription ends with its connection at the latest. */
  async #leave(topic: Topic): Promise<void> {
    const { on, channel } = topic;
    topic.on = undefined;
    if (on !== undefined && on === this.#link.wire) {
      const listener = this.#listener;
      const left = this.#commands.run(this.#link, () => on.unsubscribe(channel, listener));
      await left.catch(() => {});
    }
    if (topic.deliveries.size === 0 && this.#topics.get(channel) === topic) this.#topics.delete(channel);
  }
}
