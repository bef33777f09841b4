import { Client, type ClientBase, type ClientConfig } from 'pg';
import { migrations, quoted } from './migrations.js';

/** Options of {@link migrate}. */
export interface MigrationOptions {
  /** The schema that contains the tables. Default: `tenon`. */
  readonly schema?: string | undefined;
}

/** Options of {@link migrationSql}. */
export interface MigrationSqlOptions extends MigrationOptions {
  /** The version that the schema has. Default: 0, it does not exist. */
  readonly from?: number | undefined;
}

/** Milliseconds for which a process waits for another one that migrates, and for each migration. */
export const migrationTimeout: number = 60_000;

/** @throws TypeError if the name of a schema is malformed. Channels begin with it, so it is shorter than names in PostgreSQL. */
export function requireSchema(schema: string): void {
  if (/^(?!pg_)[a-z_][a-z0-9_]{0,47}$/.test(schema)) return;
  throw new TypeError(
    `postgresState: ${JSON.stringify(schema)} is not a schema. Write at most 48 of a-z, 0-9 and _, without pg_ at the beginning.`,
  );
}

/**
 * Applies the migrations that the schema does not have yet. Processes that migrate at the same time wait for each other.
 * @param connection - a URL, or the options of a client of `pg`, of a role that may create the schema.
 * @returns the version of the schema.
 */
export async function migrate(
  connection: string | ClientConfig,
  { schema = 'tenon' }: MigrationOptions = {},
): Promise<number> {
  requireSchema(schema);
  const config = typeof connection === 'string' ? { connectionString: connection } : connection;
  const client = new Client({ connectionTimeoutMillis: migrationTimeout, ...config });
  // Errors of the connection reject the query that is in progress.
  client.on('error', () => {});
  await client.connect();
  try {
    return await applyMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/**
 * Returns the SQL of all migrations, for operators who apply them by hand: one transaction that creates a schema from
 * nothing. Grant the role of the servers USAGE of the schema, and SELECT, INSERT, UPDATE and DELETE on its tables.
 */
export function migrationSql({ schema = 'tenon', from = 0 }: MigrationSqlOptions = {}): string {
  requireSchema(schema);
  const steps = migrations.slice(from).map((sql, index) => stepOf(schema, from + index + 1, sql(schema)));
  return ['BEGIN;', preparation(schema), ...steps, 'COMMIT;', ''].join('\n');
}

/** Returns the version of a schema; 0 if it does not exist. */
export async function versionOf(client: ClientBase, schema: string): Promise<number> {
  const table = `${quoted(schema)}.migration`;
  const exists = await client.query({
    text: 'SELECT to_regclass($1) IS NOT NULL',
    values: [table],
    rowMode: 'array',
  });
  if (String(exists.rows[0]?.[0]) !== 'true') return 0;
  const found = await client.query({
    text: `SELECT coalesce(max(version), 0)::text FROM ${table}`,
    rowMode: 'array',
  });
  return Number(found.rows[0]?.[0]);
}

/** @throws Error if the schema does not have the version that this package needs. */
export async function requireVersion(client: ClientBase, schema: string): Promise<void> {
  const version = await versionOf(client, schema);
  if (version >= migrations.length) return;
  throw new Error(
    `The schema "${schema}" has version ${version}, and this version of @tenon/mcp-state-postgres needs ${migrations.length}. Call migrate(), or apply migrationSql().`,
  );
}

/** Applies the missing migrations under an advisory lock, in one transaction. */
export async function applyMigrations(client: ClientBase, schema: string): Promise<number> {
  const known = await versionOf(client, schema);
  if (known >= migrations.length) return known;
  const key = `hashtextextended('${schema} migration', 0)`;
  // A transaction that waited for the lock does not reliably see the schema that was created meanwhile. So the lock belongs to the session.
  await inTransaction(client, async () => {
    await client.query(`SELECT pg_advisory_lock(${key})`);
  });
  try {
    return await inTransaction(client, async () => {
      await client.query(preparation(schema));
      const from = await versionOf(client, schema);
      for (const [index, sql] of migrations.slice(from).entries())
        await client.query(stepOf(schema, from + index + 1, sql(schema)));
      return Math.max(from, migrations.length);
    });
  } finally {
    await client.query(`SELECT pg_advisory_unlock(${key})`).catch(() => {});
  }
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN; SET LOCAL statement_timeout = ${migrationTimeout}`);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

function preparation(schema: string): string {
  const s = quoted(schema);
  return `CREATE SCHEMA IF NOT EXISTS ${s};
CREATE TABLE IF NOT EXISTS ${s}.migration (
  version int PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);`;
}

function stepOf(schema: string, version: number, sql: string): string {
  return `${sql}\nINSERT INTO ${quoted(schema)}.migration (version) VALUES (${version});`;
}
