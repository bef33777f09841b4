import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

const installed = '/usr/lib/postgresql';

/** A PostgreSQL server of a test, in a temporary folder. */
export class PostgresServer {
  readonly url: string;
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
    this.url = `postgres://tenon@127.0.0.1:${port}/postgres`;
  }

  /** Creates a cluster and starts its server. */
  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'tenon-postgres-'));
    const { uid, gid } = user();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const options = ['--auth=trust', '--username=tenon', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(binary('initdb'), ['-D', join(folder, 'data'), ...options], {
      ...user(),
      cwd: folder,
      stdio: 'pipe',
    });
    const server = new PostgresServer(folder, await freePort());
    await server.resume();
    return server;
  }

  /** Starts the server again after {@link stop}. */
  async resume(): Promise<void> {
    const settings = [
      ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'],
      ...['max_connections=60', 'shared_buffers=16MB', 'listen_addresses=127.0.0.1'],
      ...[`port=${this.#port}`, `unix_socket_directories=${this.#folder}`],
    ].flatMap((setting) => ['-c', setting]);
    // The shell ends the server when its input ends, also if the process of the tests is killed.
    const script = '"$@" & pid=$!; cat >/dev/null; kill -INT $pid; wait $pid';
    const command = [binary('postgres'), '-D', join(this.#folder, 'data'), ...settings];
    const child = spawn('sh', ['-c', script, 'sh', ...command], {
      ...user(),
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#process = child;
    await accepting(child);
  }

  /** Ends the server and all of its connections. The data is kept. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const exit = once(child, 'exit');
    child.stdin?.end();
    await exit;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Runs SQL on a connection of its own. */
  async query(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client(this.url);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
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

/** Resolves when the server accepts connections. */
async function accepting(child: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The server did not start. ${log}`)));
  });
}

/** The servers refuse to run as root. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function binary(name: string): string {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const path = versions
    .map((version) => join(installed, version, 'bin', name))
    .find((file) => existsSync(file));
  if (path !== undefined) return path;
  throw new Error(
    `These tests need PostgreSQL: ${installed}/*/bin/${name} does not exist. On Debian: apt-get install postgresql`,
  );
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
