import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { programPath } from '../programs.js';
import { freePort } from './free-port.js';

/** A PostgreSQL server that listens on 127.0.0.1, in a temporary folder. */
export class PostgresProcess {
  #folder = mkdtempSync(join(tmpdir(), 'tenon-postgres-'));
  #user = user();
  #port = 0;
  #programs = '';
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process;

  get url() {
    return `postgres://tenon@127.0.0.1:${this.#port}/postgres`;
  }

  /** Creates a cluster on a free port and starts its server. */
  async create() {
    const { uid, gid } = this.#user;
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid);
    this.#programs = programsFor(this.#user, this.#folder);
    const options = ['--auth=trust', '--username=tenon', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(join(this.#programs, 'initdb'), ['-D', join(this.#folder, 'data'), ...options], {
      ...this.#user,
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
    const command = [join(this.#programs, 'postgres'), '-D', join(this.#folder, 'data'), ...settings];
    const child = spawn('sh', ['-c', script, 'sh', ...command], {
      ...this.#user,
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
   * Runs SQL on a connection of its own. Returns the rows of the last statement.
   *
   * @param {string} text
   * @returns {Promise<Record<string, unknown>[]>}
   */
  async query(text) {
    const client = new pg.Client(this.url);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
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
 * The user of the servers, which refuse to run as root: `postgres` where PostgreSQL is installed, otherwise `nobody`.
 *
 * @returns {{ uid?: number, gid?: number }}
 */
function user() {
  if (process.getuid?.() !== 0) return {};
  const text = readFileSync('/etc/passwd', 'utf8');
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+)/m.exec(text) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(text) ?? [];
  if (uid === undefined)
    throw new Error('PostgreSQL refuses to run as root, and /etc/passwd has no user `nobody`.');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Returns the folder of the programs: a copy below `folder` if the user cannot read the original.
 *
 * @param {{ uid?: number, gid?: number }} user
 * @param {string} folder
 */
function programsFor({ uid, gid }, folder) {
  const programs = programPath('postgres');
  const root = dirname(programs);
  if (existsSync(join(root, 'pg-symlinks.json'))) linkLibraries(root);
  if (uid === undefined || isOpen(root)) return programs;
  const copy = join(folder, 'native');
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync('chown', ['-R', `${uid}:${gid}`, copy]);
  return join(copy, basename(programs));
}

/**
 * Makes the links between libraries that the install script of the npm package would make. The workspace runs no install scripts.
 *
 * @param {string} root
 */
function linkLibraries(root) {
  for (const { source, target } of JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(dirname(root), target);
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process has made the link.
      if (!existsSync(link)) throw error;
    }
  }
}

/**
 * True if every user can enter a folder and all folders above it.
 *
 * @param {string} folder
 * @returns {boolean}
 */
function isOpen(folder) {
  const above = dirname(folder);
  return (statSync(folder).mode & 0o5) === 0o5 && (above === folder || isOpen(above));
}
