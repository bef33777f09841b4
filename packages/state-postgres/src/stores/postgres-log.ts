import type { AppendOptions, LogEntry, LogPage, LogStore, Retention } from '@tenon/mcp-state';
import { stateLimits } from '@tenon/mcp-state';
import { fenced, requireFenceOf, requireKey, requireTtl, requireValue } from '@tenon/mcp-state/adapter';
import type { Database } from '../connection/database.js';
import { quoted } from '../schema/migrations.js';

/** Append-only logs by key, in the tables `log` and `log_entry`. */
export class PostgresLogs implements LogStore {
  readonly #database: Database;
  readonly #schema: string;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = quoted(schema);
  }

  async append(key: string, value: string, options: AppendOptions = {}): Promise<number> {
    const { ttl, fence, keep } = options;
    this.#require(key);
    requireValue(key, value);
    requireTtl(key, ttl);
    if (fence !== undefined) requireFenceOf(key, fence);
    const { rows } = await this.#database.run(
      `SELECT ${this.#schema}.log_append($1, $2, $3, $4, $5, $6, $7, $8)::text`,
      [key, Buffer.from(value), ttl, fence?.name, fence?.token, ...boundsOf(keep)],
    );
    const position = rows[0]?.[0] ?? undefined;
    if (position === undefined && fence !== undefined) throw fenced(key, fence);
    return Number(position);
  }

  async read(key: string, after: number, most: Pick<Retention, 'entries' | 'bytes'> = {}): Promise<LogPage> {
    this.#require(key);
    const { entries = stateLimits.pageEntries, bytes = stateLimits.pageBytes } = most;
    const s = this.#schema;
    const { rows } = await this.#database.run(
      `SELECT l.first_position::text, l.last_position::text, e.position::text, e.value
       FROM ${s}.log l LEFT JOIN LATERAL (
         SELECT position, value, sum(octet_length(value)) OVER (ORDER BY position) - octet_length(value) AS before
         FROM ${s}.log_entry WHERE log = l.id AND position > $2::bigint ORDER BY position LIMIT $3::bigint
       ) e ON $4::bigint IS NULL OR e.before < $4
       WHERE l.key = $1 AND (l.expires_at IS NULL OR l.expires_at > ${s}.clock())
       ORDER BY e.position`,
      [key, bound(after) ?? Number.MAX_SAFE_INTEGER, bound(entries), bound(bytes)],
    );
    const [first, last] = rows[0] ?? [];
    if (first === undefined) return { entries: [], trimmed: after > 0, last: 0 };
    const page: LogEntry[] = [];
    for (const [, , position, value] of rows)
      if (position != null && value != null) page.push({ position: Number(position), value });
    return {
      entries: page,
      trimmed: after < Number(first) - 1 || after > Number(last),
      last: Number(last),
    };
  }

  async trim(key: string, keep: Retention): Promise<void> {
    this.#require(key);
    await this.#database.run(`SELECT ${this.#schema}.log_trim($1, $2, $3, $4)`, [key, ...boundsOf(keep)]);
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    this.#require(key);
    requireTtl(key, ttl);
    const s = this.#schema;
    const { count } = await this.#database.run(
      `UPDATE ${s}.log SET expires_at = ${s}.after(${s}.clock(), $2)
       WHERE key = $1 AND (expires_at IS NULL OR expires_at > ${s}.clock())`,
      [key, ttl],
    );
    return count > 0;
  }

  async delete(key: string): Promise<boolean> {
    this.#require(key);
    const { rows } = await this.#database.run(`SELECT ${this.#schema}.log_delete($1)::text`, [key]);
    return rows[0]?.[0] === 'true';
  }

  #require(key: string): void {
    this.#database.requireOpen();
    requireKey(key);
  }
}

function boundsOf({ entries, bytes, age }: Retention = {}): (number | undefined)[] {
  return [bound(entries), bound(bytes), bound(age)];
}

/** Returns a bound as an integer; undefined if there is none. */
function bound(value: number | undefined): number | undefined {
  return value === undefined || value > Number.MAX_SAFE_INTEGER ? undefined : Math.max(0, Math.floor(value));
}
