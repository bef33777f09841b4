import { randomUUID } from 'node:crypto';
import { detach } from '@tenon/foundation';
import { StateError, stateLimits } from '@tenon/mcp-state';
import { byteLength } from '@tenon/mcp-state/adapter';
import type { Database } from '../connection/database.js';
import { quoted } from '../schema/migrations.js';
import { channelOf, fitsInline, payloadOf } from './notification.js';

interface Publication {
  readonly topic: string;
  readonly text: string;
  readonly bytes: number;
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Messages and bytes of one statement; a greater message is sent alone. */
const [batchMessages, batchBytes] = [256, 1024 * 1024];
/** Bytes of the messages that wait to be published. */
const waitingBytes = 8 * stateLimits.queuedBytes;

/**
 * Publishes messages in the order of the calls. One statement is in progress at a time, and the messages that wait for its end go
 * out in the next one: PostgreSQL commits transactions with notifications one after the other.
 */
export class Publisher {
  readonly #database: Database;
  readonly #schema: string;
  #waiting: Publication[] = [];
  #bytes = 0;
  #busy = false;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = schema;
  }

  publish(topic: string, text: string): Promise<void> {
    const bytes = byteLength(text);
    if (this.#bytes + bytes > waitingBytes)
      throw new StateError('full', `State: ${waitingBytes} bytes of messages wait to be published.`);
    return new Promise((resolve, reject) => {
      this.#bytes += bytes;
      this.#waiting.push({ topic, text, bytes, until: this.#database.deadline(), resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      detach(this.#run(), reject);
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        await this.#send(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#busy = false;
  }

  #take(): Publication[] {
    let [count, size] = [0, 0];
    for (const { bytes } of this.#waiting) {
      if (count > 0 && (count >= batchMessages || size + bytes > batchBytes)) break;
      count += 1;
      size += bytes;
    }
    this.#bytes -= size;
    return this.#waiting.splice(0, count);
  }

  async #send(batch: readonly Publication[]): Promise<void> {
    const [names, payloads, ids, values]: [string[], string[], string[], Buffer[]] = [[], [], [], []];
    for (const [number, { topic, text, bytes }] of batch.entries()) {
      names.push(channelOf(this.#schema, topic));
      if (fitsInline(text, bytes)) {
        payloads.push(payloadOf({ topic, text }, number));
        continue;
      }
      const id = randomUUID();
      ids.push(id);
      values.push(Buffer.from(text));
      payloads.push(payloadOf({ topic, id }, number));
    }
    const s = quoted(this.#schema);
    const notify =
      'SELECT count(pg_notify(name, payload)) FROM unnest($1::text[], $2::text[]) n (name, payload)';
    // The oldest message is the first to be late.
    const until = batch[0]?.until;
    if (ids.length === 0) await this.#database.run(notify, [names, payloads], until);
    else
      await this.#database.run(
        `WITH kept AS (
           INSERT INTO ${s}.message (id, published_at, value)
           SELECT id, ${s}.clock(), value FROM unnest($3::uuid[], $4::bytea[]) m (id, value)
         ) ${notify}`,
        [names, payloads, ids, values],
        until,
      );
  }
}
