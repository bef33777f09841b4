import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOf } from '../faults/random.js';
import { startStateServer } from '../state/state-server.js';
import { readJournals } from './journal.js';
import { ServerNode } from './server-node.js';

/** @typedef {Partial<import('./server-node.js').NodeSettings>} MoreSettings */

/** The processes, the state and the random numbers of one run. */
export class Stage {
  /** The state of all processes. */
  state;
  random;
  #folder = mkdtempSync(join(tmpdir(), 'tenon-processes-'));
  #stateKey = randomBytes(32).toString('base64');
  /** @type {(() => unknown)[]} */
  #endings = [];
  #lastNode = 0;
  #lastNumber = 0;

  /**
   * @param {import('../state/state-server.js').StateServer} state
   * @param {number} seed
   */
  constructor(state, seed) {
    this.state = state;
    this.random = randomOf(seed, 2);
  }

  /** @param {{ state: import('../state/state-server.js').StateKind, seed: number }} options */
  static async open({ state, seed }) {
    return new Stage(await startStateServer(state), seed);
  }

  /**
   * Starts a process.
   *
   * @param {MoreSettings} [more]
   */
  async node(more = {}) {
    const { kind, url } = this.state;
    const node = await ServerNode.start(++this.#lastNode, {
      folder: this.#folder,
      state: { kind, url },
      url: 'http://127.0.0.1/mcp',
      stateKey: this.#stateKey,
      rates: false,
      ...more,
    });
    this.later(() => node.abandon());
    return node;
  }

  /**
   * @param {number} count
   * @param {MoreSettings} [more]
   * @returns {Promise<ServerNode[]>}
   */
  nodes(count, more) {
    return Promise.all(Array.from({ length: count }, () => this.node(more)));
  }

  /** Returns the number of a new call. */
  number() {
    return ++this.#lastNumber;
  }

  /** The calls that the processes have handled so far. */
  get calls() {
    return this.journals.calls;
  }

  get journals() {
    return readJournals(this.#folder);
  }

  /**
   * Runs a task at the end, the last one first.
   *
   * @param {() => unknown} ending
   */
  later(ending) {
    this.#endings.push(ending);
  }

  async close() {
    for (const ending of this.#endings.reverse()) await ending();
    await this.state.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
