import { startRedis } from '../../suite/services/redis-server.js';

// Sessions survive a restart of Redis only if it keeps its data. `no`: each write reaches the file before its answer. The
// default may hold writes back for two seconds.
const persistent = ['--appendonly', 'yes', '--appendfsync', 'no'];

/** A Redis server that keeps its data. */
export class RedisStateServer {
  /** @type {'redis'} */
  kind = 'redis';
  /** @type {import('../../suite/services/redis-server.js').RedisServer | undefined} */
  #server;

  get url() {
    return this.#redis.url;
  }

  async create() {
    this.#server = await startRedis(persistent);
  }

  async start() {
    await this.#redis.start(persistent);
  }

  async stop() {
    await this.#redis.kill();
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async freeze() {
    this.#redis.signal('SIGSTOP');
  }

  async thaw() {
    this.#redis.signal('SIGCONT');
  }

  /** Commands that need memory are rejected; those that extend or delete a key are not. */
  async fill() {
    await this.#redis.cli('config', 'set', 'maxmemory', '1');
  }

  async acceptWrites() {
    await this.#redis.cli('config', 'set', 'maxmemory', '0');
  }

  /** @param {string} id */
  async erase(id) {
    const listed = await this.#redis.cli('--scan', '--pattern', `*${id}*`);
    const keys = listed.split('\n').filter((key) => key !== '');
    if (keys.length > 0) await this.#redis.cli('del', ...keys);
    return keys.length;
  }

  async close() {
    await this.#server?.stop();
  }

  get #redis() {
    if (this.#server === undefined) throw new Error('Call create first.');
    return this.#server;
  }
}
