import { PostgresProcess } from '../../../tooling/suite/services/postgres-server.js';

/** A PostgreSQL server of a test, in a temporary folder. */
export class PostgresServer extends PostgresProcess {
  /** Creates a cluster and starts its server. */
  static async start(): Promise<PostgresServer> {
    const server = new PostgresServer();
    await server.create();
    return server;
  }

  /** Resolves when a statement that contains a text waits for a lock. */
  async waitForLock(text: string): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${text}%' AND pid <> pg_backend_pid()`;
    while ((await this.query(waiting)).length === 0);
  }

  /** Ends all connections of clients. */
  async interrupt(): Promise<void> {
    await this.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
  }

  /** Replaces the clock of a migrated schema with one that stands still until {@link advance}. */
  async freezeClock(schema = 'tenon'): Promise<void> {
    await this.query(
      `CREATE TABLE ${schema}.test_clock AS SELECT clock_timestamp() AS now;
       CREATE OR REPLACE FUNCTION ${schema}.clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS
       'SELECT now FROM ${schema}.test_clock'`,
    );
  }

  async advance(ms: number, schema = 'tenon'): Promise<void> {
    await this.query(`UPDATE ${schema}.test_clock SET now = now + interval '${ms} milliseconds'`);
  }
}
