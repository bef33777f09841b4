import type { MessageBus, Subscriber } from '@tenon/mcp-state';
import { Delivery, requireTopic, requireValue } from '@tenon/mcp-state/adapter';
import type { ClientBase } from 'pg';
import type { Database } from '../connection/database.js';
import type { ConnectionSupervisor } from '../connection/supervisor.js';
import { quoted } from '../schema/migrations.js';
import { channelOf, notificationOf } from './notification.js';
import { Publisher } from './publisher.js';
import { Topic } from './topic.js';

/** The parts of a {@link PostgresBus}. */
export interface BusParts {
  readonly database: Database;
  readonly supervisor: ConnectionSupervisor;
  readonly schema: string;
  readonly onError: (error: unknown) => void;
}

/** Messages between processes, with LISTEN and NOTIFY. */
export class PostgresBus implements MessageBus {
  readonly #parts: BusParts;
  readonly #publisher: Publisher;
  readonly #topics = new Map<string, Topic>();
  /** Subscriptions by channel. */
  readonly #channels = new Map<string, number>();

  constructor(parts: BusParts) {
    this.#parts = parts;
    this.#publisher = new Publisher(parts.database, parts.schema);
  }

  async publish(topic: string, text: string): Promise<void> {
    this.#parts.database.requireOpen();
    requireTopic(topic);
    requireValue(topic, text);
    await this.#publisher.publish(topic, text);
  }

  async subscribe(topic: string, subscriber: Subscriber): Promise<() => Promise<void>> {
    const { database, supervisor, onError } = this.#parts;
    database.requireOpen();
    requireTopic(topic);
    const channel = channelOf(this.#parts.schema, topic);
    this.#channels.set(channel, (this.#channels.get(channel) ?? 0) + 1);
    try {
      // Also if the process listens to the channel already: earlier messages of other topics have arrived when this is answered.
      await supervisor.run(`LISTEN "${channel}"`, database.deadline());
      database.requireOpen();
    } catch (error) {
      this.#leave(channel);
      throw error;
    }
    const delivery = new Delivery(subscriber, onError);
    this.#topicOf(topic).deliveries.add(delivery);
    return async () => {
      delivery.end();
      if (!this.#topics.get(topic)?.deliveries.delete(delivery)) return;
      if (this.#topics.get(topic)?.deliveries.size === 0) this.#topics.delete(topic);
      this.#leave(channel);
    };
  }

  /** Receives the messages of a new connection. */
  async listen(client: ClientBase): Promise<void> {
    client.on('notification', ({ payload = '' }) => {
      const notification = notificationOf(payload);
      if (notification !== undefined) this.#topics.get(notification.topic)?.receive(notification);
    });
    if (this.#channels.size === 0) return;
    await client.query([...this.#channels.keys()].map((channel) => `LISTEN "${channel}"`).join('; '));
  }

  /** Reports a gap to all subscribers. */
  lose(): void {
    for (const topic of this.#topics.values()) topic.lose();
  }

  close(): void {
    for (const { deliveries } of this.#topics.values()) for (const delivery of deliveries) delivery.end();
    this.#topics.clear();
    this.#channels.clear();
  }

  #topicOf(name: string): Topic {
    const known = this.#topics.get(name);
    if (known !== undefined) return known;
    const topic = new Topic((id) => this.#fetch(id));
    this.#topics.set(name, topic);
    return topic;
  }

  async #fetch(id: string): Promise<string | undefined> {
    const { database, schema } = this.#parts;
    const { rows } = await database.run(`SELECT value FROM ${quoted(schema)}.message WHERE id = $1`, [id]);
    return rows[0]?.[0] ?? undefined;
  }

  #leave(channel: string): void {
    const left = (this.#channels.get(channel) ?? 1) - 1;
    if (left > 0) this.#channels.set(channel, left);
    else if (this.#channels.delete(channel)) this.#parts.supervisor.attempt(`UNLISTEN "${channel}"`);
  }
}
