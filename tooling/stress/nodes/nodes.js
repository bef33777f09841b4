/** @typedef {import('./server-node.js').ServerNode} ServerNode */

/**
 * A node that ended, or a time in which the state did not answer.
 *
 * @typedef {object} Disturbance
 * @property {'kill' | 'drain' | 'drain without a warning' | 'state stopped' | 'state restarted'} kind
 * @property {number | undefined} node
 * @property {number} from milliseconds since 1970
 * @property {number} to
 */

/**
 * True if the proxy stops sending requests before the node receives SIGTERM. Otherwise it learns from `/readyz` or from refused
 * connections.
 *
 * @typedef {{ isWarned: boolean }} Warning
 */

/**
 * The time in which all nodes were replaced, and their number.
 *
 * @typedef {{ from: number, to: number, nodes: number }} RollingRestart
 */

/** The processes behind the proxy. The first one lives through; the others are replaced. */
export class Nodes {
  /** @type {Disturbance[]} */
  disturbances = [];
  /** Nodes that did not end by themselves after SIGTERM. @type {string[]} */
  stuck = [];
  #start;
  #proxy;
  /** @type {ServerNode[]} */
  #running = [];

  /**
   * @param {() => Promise<ServerNode>} start starts a process
   * @param {import('../proxy/round-robin-proxy.js').RoundRobinProxy} proxy
   */
  constructor(start, proxy) {
    this.#start = start;
    this.#proxy = proxy;
  }

  get count() {
    return this.#running.length;
  }

  /** Starts a node, and deals requests to it. */
  async start() {
    const node = await this.#start();
    this.#running.push(node);
    this.#proxy.add(node.port);
  }

  /**
   * Returns the heap of the node that lives through.
   *
   * @returns {Promise<number>} bytes
   */
  async heap() {
    const [first] = this.#running;
    if (first === undefined) throw new Error('No node is running.');
    return first.heap();
  }

  /**
   * Kills a node, and starts another.
   *
   * @param {number} index from 1
   */
  async kill(index) {
    const [victim] = this.#running.splice(index, 1);
    if (victim === undefined) return;
    const from = Date.now();
    await victim.kill();
    this.#disturbed('kill', victim.number, from);
    // The proxy has noticed a refused connection by itself.
    await this.start();
    this.#proxy.remove(victim.port);
  }

  /**
   * Starts another node, then drains this one.
   *
   * @param {number} index
   * @param {Warning} warning
   */
  async drain(index, warning) {
    await this.start();
    const [leaving] = this.#running.splice(index, 1);
    if (leaving !== undefined) await this.#end(leaving, warning);
  }

  /**
   * Replaces all nodes, one after the other. The proxy is not warned.
   *
   * @returns {Promise<RollingRestart>}
   */
  async roll() {
    const from = Date.now();
    const { count } = this;
    for (let rolled = 0; rolled < count; rolled++) await this.drain(0, { isWarned: false });
    return { from, to: Date.now(), nodes: count };
  }

  /** Drains all nodes. */
  async close() {
    await Promise.all(this.#running.splice(0).map((leaving) => this.#end(leaving, { isWarned: true })));
  }

  /**
   * @param {ServerNode} node
   * @param {Warning} warning
   */
  async #end(node, { isWarned }) {
    if (isWarned) this.#proxy.remove(node.port);
    const from = Date.now();
    const problem = await node.drain();
    if (problem !== undefined) this.stuck.push(problem);
    this.#disturbed(isWarned ? 'drain' : 'drain without a warning', node.number, from);
    this.#proxy.remove(node.port);
  }

  /**
   * @param {Disturbance['kind']} kind
   * @param {number} node
   * @param {number} from
   */
  #disturbed(kind, node, from) {
    this.disturbances.push({ kind, node, from, to: Date.now() });
  }
}
