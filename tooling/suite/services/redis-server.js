import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { programPath } from '../programs.js';
import { freePort } from './free-port.js';

const run = promisify(execFile);
// The server ends with the process of the tests, even if that is killed: its standard input closes then.
const guarded =
  'exec 3<&0; redis-server "$@" & server=$!; { cat <&3; kill -9 $server; } >/dev/null 2>&1 & wait $server';

/** A Redis server that listens on 127.0.0.1 and keeps nothing on disk. */
export class RedisServer {
  /** @type {string} */
  log = '';
  #folder = mkdtempSync(join(tmpdir(), 'tenon-redis-'));
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  /** @type {Set<() => void>} */
  #readers = new Set();

  /** @param {number} port */
  constructor(port) {
    this.port = port;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /**
   * Starts the process. Resolves when it accepts connections.
   *
   * @param {readonly string[]} args
   */
  async start(args = []) {
    const own = ['--port', `${this.port}`, '--bind', '127.0.0.1', '--dir', this.#folder, '--save', ''];
    // A replica is copied to at once: the default waits five seconds for others.
    const quick = ['--repl-diskless-sync-delay', '0'];
    await this.#spawn([...own, ...quick, ...args], /Ready to accept connections/);
  }

  /**
   * Starts the process as a sentinel of a master. It replaces the master only when {@link failOver} says so: a master that answers late, on
   * a busy machine, is not replaced.
   *
   * @param {string} name
   * @param {number} masterPort
   */
  async startSentinel(name, masterPort) {
    const file = join(this.#folder, 'sentinel.conf');
    // Two sentinels would have to agree, and there is one.
    const rules = [`sentinel monitor ${name} 127.0.0.1 ${masterPort} 2`];
    const lines = [`port ${this.port}`, 'bind 127.0.0.1', `dir ${this.#folder}`, ...rules];
    writeFileSync(file, [...lines, ''].join('\n'));
    await this.#spawn([file, '--sentinel'], /\+monitor master/);
  }

  /**
   * Has this sentinel replace a master by its replica. Resolves when that is done.
   *
   * @param {string} name
   */
  async failOver(name) {
    const switched = this.logged(/\+switch-master/);
    await this.cli('sentinel', 'failover', name);
    await switched;
  }

  /**
   * Runs a command with redis-cli. Returns the lines of its answer.
   *
   * @param {readonly string[]} command
   */
  async cli(...command) {
    const { stdout } = await run('redis-cli', ['-p', `${this.port}`, ...command]);
    return stdout.trim();
  }

  /** Resolves when a replica has all writes. */
  async replicated() {
    const answer = run('redis-cli', ['-p', `${this.port}`]);
    // WAIT concerns the writes before the last command of its own connection.
    answer.child.stdin?.end('ping\nwait 1 0\n');
    await answer;
  }

  /**
   * Resolves when the log since the start has a text that matches.
   *
   * @param {RegExp} pattern
   * @returns {Promise<void>}
   */
  logged(pattern) {
    return new Promise((resolve) => {
      const look = () => {
        if (!pattern.test(this.log)) return;
        this.#readers.delete(look);
        resolve();
      };
      this.#readers.add(look);
      look();
    });
  }

  /**
   * Sends a signal to the process: SIGSTOP stops it from answering while its connections stay open.
   *
   * @param {NodeJS.Signals} signal
   */
  signal(signal) {
    const [, pid] = /pid=(\d+)/.exec(this.log) ?? [];
    if (this.#child !== undefined && pid !== undefined) process.kill(Number(pid), signal);
  }

  /** Kills the process. Resolves when its port is free. */
  async kill() {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = child.exitCode === null ? once(child, 'exit') : undefined;
    child.stdin?.destroy();
    await ended;
  }

  /** Kills the process and deletes its folder. */
  async stop() {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * @param {readonly string[]} args
   * @param {RegExp} ready
   */
  async #spawn(args, ready) {
    programPath('redis');
    this.log = '';
    const child = spawn('sh', ['-c', guarded, 'sh', ...args], { stdio: 'pipe' });
    this.#child = child;
    for (const output of [child.stdout, child.stderr])
      output.setEncoding('utf8').on('data', (text) => {
        this.log += text;
        for (const look of [...this.#readers]) look();
      });
    /** @type {Promise<never>} */
    const failed = new Promise((_, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}:\n${this.log}`)));
    });
    failed.catch(() => undefined);
    await Promise.race([this.logged(ready), failed]);
  }
}

/**
 * Starts a server on a free port.
 *
 * @param {readonly string[]} [args]
 */
export const startRedis = (args = []) => startOnFreePorts(() => args);

/** @param {() => readonly string[] | Promise<readonly string[]>} args called again for each attempt */
async function startOnFreePorts(args) {
  for (let attempt = 1; ; attempt++) {
    const server = new RedisServer(await freePort());
    try {
      await server.start(await args());
      return server;
    } catch (error) {
      await server.stop();
      // Another process may have bound the port since it was found free.
      if (attempt === 3 || !server.log.includes('Address already in use')) throw error;
    }
  }
}

/**
 * Starts a cluster of three masters, the first one with a replica. Resolves when all nodes serve all slots.
 *
 * @returns {Promise<readonly [RedisServer, RedisServer, RedisServer, RedisServer]>} the masters, then the replica
 */
export async function startRedisCluster() {
  const start = () =>
    startOnFreePorts(async () => {
      const bus = ['--cluster-port', `${await freePort()}`];
      return ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000', ...bus];
    });
  const [first, second, third, replica] = [await start(), await start(), await start(), await start()];
  const nodes = [first, second, third];
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  await run('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes']);
  await Promise.all(nodes.map((node) => node.logged(/Cluster state changed: ok/)));
  const id = await first.cli('cluster', 'myid');
  const join = [`127.0.0.1:${replica.port}`, addresses[0] ?? ''];
  await run('redis-cli', ['--cluster', 'add-node', ...join, '--cluster-slave', '--cluster-master-id', id]);
  await replica.logged(/MASTER <-> REPLICA sync: Finished with success/);
  return [first, second, third, replica];
}

/**
 * Starts a master, a replica and a sentinel. Resolves when the sentinel knows both.
 *
 * @param {string} name of the master
 */
export async function startRedisSentinel(name) {
  const master = await startRedis();
  const replica = await startRedis(['--replicaof', `127.0.0.1 ${master.port}`]);
  await replica.logged(/MASTER <-> REPLICA sync: Finished with success/);
  const sentinel = new RedisServer(await freePort());
  await sentinel.startSentinel(name, master.port);
  await sentinel.logged(/\+slave slave/);
  return { master, replica, sentinel };
}
