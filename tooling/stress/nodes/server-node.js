import { Child } from '../children/child.js';

/**
 * The settings of a process.
 *
 * @typedef {object} NodeSettings
 * @property {string} folder of the journals
 * @property {import('../state/node-state.js').NodeStateSettings} state
 * @property {string} url under which clients reach the processes
 * @property {string | undefined} [stateKey] the key of sealed states; by default the processes share one by their state
 * @property {{ name: string, version: string }} [info] of the server
 * @property {object} [serverLimits] beside those of the storm
 * @property {object} [httpLimits] beside those of the storm
 * @property {object} [taskLimits] beside those of the storm
 * @property {boolean} [rates] false to accept calls at any rate
 */

/** Milliseconds that a node has to drain: more than its delay and twice its limit. */
const drainTime = 20_000;

/** One server process. */
export class ServerNode {
  number;
  port;
  #child;

  /**
   * @param {Child} child
   * @param {number} number
   * @param {number} port
   */
  constructor(child, number, port) {
    this.#child = child;
    this.number = number;
    this.port = port;
  }

  /**
   * @param {number} number
   * @param {NodeSettings} settings
   */
  static async start(number, settings) {
    const file = new URL('./node-process.js', import.meta.url);
    const child = new Child(`node ${number}`, file, ['--expose-gc']);
    try {
      const { port } = await child.call('begin', { node: number, ...settings });
      return new ServerNode(child, number, port);
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  get url() {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  /** Returns the status of `/readyz`, or undefined if there is no answer within two seconds. */
  async readiness() {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`, {
        signal: AbortSignal.timeout(2_000),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the heap.
   *
   * @returns {Promise<number>} bytes
   */
  async heap() {
    return (await this.#child.call('holdings')).heap;
  }

  /** Kills the process. Resolves when it has ended. */
  async kill() {
    this.#child.kill();
    await this.#child.ended;
  }

  /** Kills the process without a wait. */
  abandon() {
    this.#child.kill();
  }

  /** Stops the process from running while its connections stay open. */
  freeze() {
    this.#child.kill('SIGSTOP');
  }

  thaw() {
    this.#child.kill('SIGCONT');
  }

  /**
   * Sends SIGTERM.
   *
   * @returns {Promise<string | undefined>} the problem if the process does not end by itself
   */
  async drain() {
    this.#child.kill('SIGTERM');
    const end = await this.#child.endWithin(drainTime);
    if (end?.code === 0) return undefined;
    return `node ${this.number}: ${end === undefined ? 'it had to be killed' : (end.code ?? end.signal)}`;
  }
}
