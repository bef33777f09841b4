import { commandsOf } from '@tenon/tool-stress/measure/redis-figures.js';
import { startRedis } from '../../suite/services/redis-server.js';
import { Handshakes } from '../footprint/handshakes.js';
import { MeasuredProcess } from '../processes/measured-process.js';
import { coresOfCluster, everyCore } from '../processes/pinning.js';
import { profiling } from '../processes/profiling.js';
import { labelOf } from './entrants.js';
import { depth } from './rows.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/** The processes of one entrant, and the Redis that they share with no other entrant. */
export class Nodes {
  /** @type {string[]} */
  urls = [];
  #entrant;
  #lifecycle;
  #profiles;
  /** @type {MeasuredProcess[]} */
  #processes = [];
  /** @type {{ process: MeasuredProcess, url: string } | undefined} */
  #opener;
  /** @type {import('../../suite/services/redis-server.js').RedisServer | undefined} */
  #redis;

  /**
   * @param {import('./entrants.js').ClusterEntrant} entrant
   * @param {{ lifecycle: Lifecycle, plan: Pick<import('../rounds/plan.js').Plan, 'profiles'> }} options
   */
  constructor(entrant, { lifecycle, plan }) {
    this.#entrant = entrant;
    this.#lifecycle = lifecycle;
    this.#profiles = plan.profiles;
  }

  /** Starts all processes. Resolves when they serve. */
  async start() {
    if (this.#entrant.state === 'redis') this.#redis = await startRedis();
    const numbers = Array.from({ length: this.#entrant.processes }, (_, index) => index + 1);
    this.#processes = numbers.map((number) => this.#newProcess(`process ${number}`));
    this.urls = await Promise.all(this.#processes.map(urlOf));
  }

  /**
   * Opens sessions, the first one at the first process and so on.
   *
   * @param {number} each sessions of each process
   */
  async openSessions(each) {
    const opened = await Promise.all(this.urls.map((url) => handshakes(url, each)));
    return Array.from({ length: each }, (_, index) =>
      opened.flatMap((own) => own.slice(index, index + 1)),
    ).flat();
  }

  /**
   * Opens sessions at one more process, which is not measured.
   *
   * @param {number} count
   */
  async openUnknownSessions(count) {
    if (this.#opener === undefined) {
      const process = this.#newProcess('opener');
      this.#opener = { process, url: await urlOf(process) };
    }
    return handshakes(this.#opener.url, count);
  }

  /** True if a process can serve sessions that another process opened. */
  get shares() {
    return this.#redis !== undefined;
  }

  /** Allows all cores while the processes warm up. */
  unpin() {
    for (const process of this.#processes) process.pin(everyCore);
  }

  /** Leaves one core to the driver and Redis. */
  pin() {
    for (const process of this.#processes) process.pin(coresOfCluster);
  }

  /** Microseconds of CPU that all processes have used. */
  async cpu() {
    const used = await Promise.all(this.#processes.map((process) => process.cpu()));
    return used.reduce((sum, one) => sum + one, 0);
  }

  /**
   * Counts the commands of Redis during a task.
   *
   * @param {() => Promise<unknown>} task
   */
  async commands(task) {
    if (this.#redis === undefined) {
      await task();
      return 0;
    }
    const counts = await commandsOf(this.#redis, task);
    return Object.values(counts).reduce((sum, one) => sum + one, 0);
  }

  async close() {
    const opener = this.#opener === undefined ? [] : [this.#opener.process];
    await Promise.all([...this.#processes, ...opener].map((process) => process.close()));
    await this.#redis?.stop();
  }

  /** @param {string} name for a profile */
  #newProcess(name) {
    const { contender, state } = this.#entrant;
    const profile = `cluster ${labelOf(this.#entrant)} ${this.#lifecycle} ${name}`;
    const flags = this.#profiles === undefined ? [] : profiling(this.#profiles, profile);
    const given = [contender, 'http', this.#lifecycle, 'few', 'call'];
    const shared = state === 'none' ? [] : [this.#redis?.url ?? state];
    return new MeasuredProcess({ program: 'server.js', args: [...given, ...shared], flags });
  }
}

/** @param {MeasuredProcess} process */
async function urlOf(process) {
  return (await process.message()).url;
}

/**
 * @param {string} url
 * @param {number} count
 */
async function handshakes(url, count) {
  const client = new Handshakes(url, depth);
  try {
    return await client.open(count);
  } finally {
    await client.close();
  }
}
