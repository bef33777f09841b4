import type { Lease, LeaseStore } from '@tenon/mcp-state';
import { requireLeaseName, requireTtl } from '@tenon/mcp-state/adapter';
import type { Database } from '../connection/database.js';
import { quoted } from '../schema/migrations.js';

/** Leases by name, in the table `lease`. */
export class PostgresLeases implements LeaseStore {
  readonly #database: Database;
  readonly #schema: string;

  constructor(database: Database, schema: string) {
    this.#database = database;
    this.#schema = quoted(schema);
  }

  async acquire(name: string, ttl: number): Promise<Lease | undefined> {
    this.#database.requireOpen();
    requireLeaseName(name);
    requireTtl(name, ttl);
    const { rows } = await this.#database.run(`SELECT ${this.#schema}.lease_acquire($1, $2)::text`, [
      name,
      ttl,
    ]);
    const token = rows[0]?.[0];
    if (token == null) return undefined;
    return {
      name,
      token: Number(token),
      renew: async (longer) => {
        this.#database.requireOpen();
        requireTtl(name, longer);
        return this.#extend(name, token, longer);
      },
      // A released row remains, because writes with earlier tokens are rejected by it.
      release: () => this.#extend(name, token, 0),
    };
  }

  /** Has a lease end so many milliseconds from now. @returns false if it is lost. */
  async #extend(name: string, token: string, ms: number): Promise<boolean> {
    const s = this.#schema;
    const { count } = await this.#database.run(
      `UPDATE ${s}.lease SET expires_at = ${s}.after(${s}.clock(), $3)
       WHERE name = $1 AND token = $2 AND expires_at > ${s}.clock()`,
      [name, token, ms],
    );
    return count > 0;
  }
}
