import {
  type CompareOptions,
  type KeyValueStore,
  StateError,
  type VersionedValue,
  type WriteOptions,
} from '@tenon/mcp-state';
import { fenced, requireFenceOf, requireKey, requireTtl, requireValue } from '@tenon/mcp-state/adapter';
import type { Database } from '../connection/database.js';
import { quoted } from '../schema/migrations.js';

interface Comparison {
  readonly compare: boolean;
  readonly expected: string | undefined;
}

/** Values by key, in the table `kv`. */
export class PostgresKeyValues implements KeyValueStore {
  readonly #database: Database;
  readonly #schema: string;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = quoted(schema);
  }

  async get(key: string): Promise<VersionedValue | undefined> {
    this.#require(key);
    const { rows } = await this.#database.run(
      `SELECT value, version::text FROM ${this.#schema}.kv WHERE key = $1 AND ${this.#alive}`,
      [key],
    );
    const [value, version] = rows[0] ?? [];
    return value == null || version == null ? undefined : { value, version };
  }

  async put(key: string, value: string, options: WriteOptions = {}): Promise<string> {
    this.#require(key);
    const version = await this.#write(key, value, { ...options, compare: false, expected: undefined });
    // A write without a comparison always happens.
    if (version === undefined) throw new StateError('unavailable', `State: "${key}" was not written.`);
    return version;
  }

  async compareAndSet(key: string, value: string, options: CompareOptions): Promise<string | undefined> {
    this.#require(key);
    return this.#write(key, value, { ...options, compare: true });
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    this.#require(key);
    requireTtl(key, ttl);
    const s = this.#schema;
    const { count } = await this.#database.run(
      `UPDATE ${s}.kv SET expires_at = ${s}.after(${s}.clock(), $2) WHERE key = $1 AND ${this.#alive}`,
      [key, ttl],
    );
    return count > 0;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    this.#require(key);
    const { count } = await this.#database.run(
      `DELETE FROM ${this.#schema}.kv WHERE key = $1 AND ($2::text IS NULL OR version::text = $2) AND ${this.#alive}`,
      [key, expected],
    );
    return count > 0;
  }

  get #alive(): string {
    return `(expires_at IS NULL OR expires_at > ${this.#schema}.clock())`;
  }

  #require(key: string): void {
    this.#database.requireOpen();
    requireKey(key);
  }

  async #write(key: string, value: string, options: WriteOptions & Comparison): Promise<string | undefined> {
    const { ttl, fence, compare, expected } = options;
    requireValue(key, value);
    requireTtl(key, ttl);
    if (fence !== undefined) requireFenceOf(key, fence);
    const { rows } = await this.#database.run(`SELECT ${this.#schema}.kv_write($1, $2, $3, $4, $5, $6, $7)`, [
      key,
      Buffer.from(value),
      ttl,
      compare,
      expected,
      fence?.name,
      fence?.token,
    ]);
    const version = rows[0]?.[0] ?? undefined;
    if (version === '' && fence !== undefined) throw fenced(key, fence);
    return version;
  }
}
