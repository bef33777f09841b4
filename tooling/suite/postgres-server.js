import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './redis-server.js';

const run = promisify(execFile);
const installed = '/usr/lib/postgresql';

/** A PostgreSQL server that listens on 127.0.0.1, in a temporary folder. */
export class PostgresProcess {
  #folder = mkdtempSync(join(tmpdir(), 'tenon-postgres-'));
  #port = 0;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;

  get url() {
    return `postgres://tenon@127.0.0.1:${this.#port}/postgres`;
  }

  /** Creates a cluster on a free port and starts its server. */
  async create() {
    const { uid, gid } = user();
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    const options = ['--auth=trust', '--username=tenon', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(binary('initdb'), ['-D', join(this.#folder, 'data'), ...options], {
      ...user(),
      cwd: this.#folder,
      stdio: 'pipe',
    });
    this.#port = await freePort();
    await this.resume();
  }

  /** Starts the server again after {@link stop}. */
  async resume() {
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
  async stop() {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    const exit = once(child, 'exit');
    child.stdin?.end();
    await exit;
  }

  async close() {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Runs SQL with psql. Returns the lines of its answer, without headers.
   *
   * @param {string} text
   */
  async psql(text) {
    const { stdout } = await run(binary('psql'), ['-d', this.url, '-At', '-c', text]);
    return stdout.trim();
  }
}

/**
 * Resolves when the server accepts connections.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<void>}
 */
function accepting(child) {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      log = (log + text).slice(-4_000);
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The server did not start. ${log}`)));
  });
}

/**
 * The servers refuse to run as root.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
function user() {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** @param {string} name */
function binary(name) {
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const path = versions
    .map((version) => join(installed, version, 'bin', name))
    .find((file) => existsSync(file));
  if (path !== undefined) return path;
  throw new Error(
    `These tests need PostgreSQL: ${installed}/*/bin/${name} does not exist. On Debian: apt-get install postgresql`,
  );
}
