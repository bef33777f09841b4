import { type Clock, systemClock } from '@tenon/foundation';
import type { JoinSettings, Processes, State, StateStatus, StatusListener } from '@tenon/mcp-state';
import { joinProcesses } from '@tenon/mcp-state/adapter';
import type { ClientBase } from 'pg';
import { PostgresBus } from './bus/postgres-bus.js';
import { Connections } from './connection/connections.js';
import { Database } from './connection/database.js';
import { ConnectionSupervisor, closed } from './connection/supervisor.js';
import { Waits } from './connection/waits.js';
import { type PostgresStateOptions, type Settings, settingsOf } from './options.js';
import { applyMigrations, migrationTimeout, requireVersion } from './schema/migrate.js';
import { PostgresKeyValues } from './stores/postgres-kv.js';
import { PostgresLeases } from './stores/postgres-leases.js';
import { PostgresLogs } from './stores/postgres-log.js';
import { Sweeper } from './stores/sweeper.js';

/**
 * State in a PostgreSQL database, version 13 or newer, that all processes share. It connects in the background: calls wait for
 * the connection, at most for their time limit.
 * @param options - a URL such as `postgres://user:password@host:5432/database`, or options.
 * @throws TypeError or RangeError if an option is missing or out of range.
 */
export function postgresState(options: string | PostgresStateOptions): State {
  return openState(settingsOf(options), systemClock);
}

/** Returns the state with a clock for its timers. Times to live are measured by the clock of the database. */
export function openState(settings: Settings, clock: Clock): State {
  return new PostgresState(settings, clock);
}

class PostgresState implements State {
  readonly kv: PostgresKeyValues;
  readonly log: PostgresLogs;
  readonly bus: PostgresBus;
  readonly leases: PostgresLeases;
  readonly #settings: Settings;
  readonly #waits: Waits;
  readonly #connections: Connections;
  readonly #supervisor: ConnectionSupervisor;
  readonly #sweeper: Sweeper;
  #closing: Promise<void> | undefined;

  constructor(settings: Settings, clock: Clock) {
    const { schema, timeout, maxCalls, heartbeat, sweepInterval: interval, onError } = settings;
    this.#settings = settings;
    const waits = new Waits(clock);
    const connections = new Connections(settings, waits);
    const supervisor = new ConnectionSupervisor({
      ...{ clock, waits, timeout, heartbeat },
      open: () => connections.dedicated(),
      prepare: (client) => this.#prepare(client),
      lost: () => connections.renew(),
      replaced: () => this.bus.lose(),
    });
    const answers = new Waits(clock);
    const database = new Database({ clock, connections, supervisor, waits, answers, timeout, maxCalls });
    this.#waits = waits;
    this.#connections = connections;
    this.#supervisor = supervisor;
    this.kv = new PostgresKeyValues(database, schema);
    this.log = new PostgresLogs(database, schema);
    this.leases = new PostgresLeases(database, schema);
    this.bus = new PostgresBus({ database, supervisor, schema, onError });
    this.#sweeper = new Sweeper({ database, clock, schema, interval, onError });
    this.#sweeper.start();
    supervisor.start();
  }

  join(settings: JoinSettings): Processes {
    return joinProcesses(this, this.#settings.isNamed ? { ...settings, name: undefined } : settings);
  }

  get status(): StateStatus {
    return this.#supervisor.status;
  }

  onStatus(listener: StatusListener): () => void {
    return this.#supervisor.onStatus(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#sweeper.end();
    this.bus.close();
    this.#waits.end(closed());
    await Promise.all([this.#supervisor.close(), this.#connections.end()]);
  }

  async #prepare(client: ClientBase): Promise<void> {
    const { schema, migrate, timeout } = this.#settings;
    const prepare = async () => {
      await requireReadCommitted(client);
      if (migrate) await applyMigrations(client, schema);
      else await requireVersion(client, schema);
      await this.bus.listen(client);
    };
    const limit = migrate ? migrationTimeout : timeout;
    await this.#waits.wait(prepare(), this.#waits.now() + limit, 'the schema');
  }
}

/** A fence is checked in a statement after its lock is held, which must see the writes before the lock. */
async function requireReadCommitted(client: ClientBase): Promise<void> {
  const { rows } = await client.query({
    text: `SELECT current_setting('default_transaction_isolation')`,
    rowMode: 'array',
  });
  if (rows[0]?.[0] !== 'read committed')
    throw new Error(
      `default_transaction_isolation is "${rows[0]?.[0]}"; set it to "read committed" for this role.`,
    );
}
