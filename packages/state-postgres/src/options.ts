import { constantsOf, type OptionRule, optionRules, requireOptions } from '@tenon/foundation';
import type { ClientConfig, Pool } from 'pg';
import { requireSchema } from './schema/migrate.js';

/** Options of {@link postgresState}. Either `connection` or `pool` is required. */
export interface PostgresStateOptions {
  /** A URL such as `postgres://user:password@host:5432/database`, or the options of a client of `pg`. */
  readonly connection?: string | ClientConfig | undefined;
  /**
   * An existing pool of `pg`, which `close` leaves open. The state keeps one of its connections for messages. Set
   * `statement_timeout` on the pool: the state sets it only for connections it opens itself.
   */
  readonly pool?: Pool | undefined;
  /**
   * The schema that contains the tables, of at most 48 characters. All servers with this schema share what they keep. Default: `tenon`, and
   * each server adds its name to its keys.
   */
  readonly schema?: string | undefined;
  /** False if an operator applies the migrations, with {@link migrate} or {@link migrationSql}. Default: true. */
  readonly migrate?: boolean | undefined;
  /**
   * Connections for calls, apart from the one for messages. Default: 10. Raise it if calls wait for a connection and the database has
   * more, lower it if many processes share the connections of the database.
   */
  readonly poolSize?: number | undefined;
  /**
   * Milliseconds until a call rejects with reason `unavailable`, its wait for a connection included. Default: 5,000. Raise it for a
   * database that is far away, lower it to notice a failure sooner.
   */
  readonly timeout?: number | undefined;
  /** Receives errors that subscribers throw, and errors of the deletion of expired rows. Default: they are dropped. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const postgresBounds = {
  /** Calls in progress, those that wait for a connection included. Past it, calls reject with reason `full`. */
  maxCalls: 10_000,
  /** Milliseconds between deletions of expired rows. */
  sweepInterval: 60_000,
  /** Milliseconds between checks of the connection for messages. */
  heartbeat: 10_000,
};

/** Checked options with their defaults. */
export interface Settings {
  readonly connection: string | ClientConfig | undefined;
  readonly pool: Pool | undefined;
  readonly schema: string;
  /** True if the user has set the schema: servers with different names then share what they keep. */
  readonly isNamed: boolean;
  readonly migrate: boolean;
  readonly poolSize: number;
  readonly timeout: number;
  readonly maxCalls: number;
  readonly sweepInterval: number;
  readonly heartbeat: number;
  readonly onError: (error: unknown) => void;
}

const bound: OptionRule = {
  is: 'a number from 1 to 2^31 - 1',
  allows: (value) => typeof value === 'number' && value >= 1 && value <= 2 ** 31 - 1,
};
const { anything, callable, flag, object } = optionRules;
const rules: { readonly [Name in keyof Required<PostgresStateOptions>]: OptionRule } = {
  connection: {
    is: 'a URL, or options of a client of pg',
    allows: (value) => typeof value === 'string' || object.allows(value),
  },
  pool: object,
  schema: anything,
  migrate: flag,
  poolSize: bound,
  timeout: bound,
  onError: callable,
};

/** @throws TypeError or RangeError if an option is missing or out of range. */
export function settingsOf(options: string | PostgresStateOptions): Settings {
  const given = typeof options === 'string' ? { connection: options } : options;
  requireOptions('postgresState', given, rules);
  const { connection, pool, schema = 'tenon', migrate = true, onError = () => {} } = given;
  const { poolSize = 10, timeout = 5_000 } = given;
  if ((connection === undefined) === (pool === undefined))
    throw new TypeError('postgresState: set either connection or pool.');
  requireSchema(schema);
  const isNamed = given.schema !== undefined;
  const bounds = constantsOf(postgresBounds, given);
  return { connection, pool, schema, isNamed, migrate, poolSize, timeout, ...bounds, onError };
}
