import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PostgresProcess } from '../../suite/services/postgres-server.js';

const run = promisify(execFile);

/** The tables with data, in each schema of a state. Rows of leases and messages fit into pages that are there. */
const dataTables = ['kv', 'log', 'log_entry'];

/** A PostgreSQL server. */
export class PostgresStateServer {
  /** @type {'postgres'} */
  kind = 'postgres';
  #server = new PostgresProcess();
  /** The processes that are stopped, the first one first. @type {number[]} */
  #frozen = [];

  get url() {
    return this.#server.url;
  }

  async create() {
    await this.#server.create();
  }

  async start() {
    await this.#server.resume();
  }

  async stop() {
    await this.#server.stop();
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async freeze() {
    const postmaster = await this.#postmaster();
    process.kill(postmaster, 'SIGSTOP');
    // It starts no further process now.
    this.#frozen = [postmaster, ...(await childrenOf(postmaster))];
    for (const pid of this.#frozen.slice(1)) signal(pid, 'SIGSTOP');
  }

  async thaw() {
    for (const pid of this.#frozen.splice(0).reverse()) signal(pid, 'SIGCONT');
  }

  /** Writes of data are rejected with the error of a full disk. */
  async fill() {
    await this.#server.query(`CREATE FUNCTION public.disk_full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`);
    const on = (/** @type {string} */ table) =>
      `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION public.disk_full()`;
    await this.#server.query((await this.#tables()).map(on).join(';'));
  }

  async acceptWrites() {
    await this.#server.query('DROP FUNCTION public.disk_full CASCADE');
  }

  /** @param {string} id */
  async erase(id) {
    let erased = 0;
    for (const table of await this.#tables()) {
      if (table.endsWith('.log_entry')) continue;
      const deleted = `DELETE FROM ${table} WHERE key LIKE '%${id}%' RETURNING 1`;
      erased += (await this.#server.query(deleted)).length;
    }
    return erased;
  }

  async close() {
    await this.thaw();
    await this.#server.close();
  }

  /** The tables with data of all schemas: the schema of a state depends on its options. */
  async #tables() {
    const names = dataTables.map((name) => `'${name}'`).join();
    const listed = await this.#server.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE tablename IN (${names}) ORDER BY 1`,
    );
    return listed.map(({ name }) => String(name));
  }

  async #postmaster() {
    const [checkpointer] = await this.#server.query(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'",
    );
    const { stdout } = await run('ps', ['-o', 'ppid=', '-p', String(checkpointer?.pid)]);
    return Number(stdout);
  }
}

/** @param {number} pid */
async function childrenOf(pid) {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]);
  return stdout.trim().split(/\s+/).map(Number);
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The connection of a backend may have ended meanwhile.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}
