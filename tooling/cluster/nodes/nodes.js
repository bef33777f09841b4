import { Child } from '@tenon/tool-chaos/children/child.js';

/**
 * A node that ended, or a time in which Redis did not answer.
 *
 * @typedef {object} Disturbance
 * @property {'kill' | 'drain' | 'drain without a warning' | 'redis stopped' | 'redis restarted'} kind
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

/** Milliseconds that a node has to drain: more than its delay and twice its limit. */
const drainTime = 20_000;

/** The processes behind the proxy. The first one lives through; the others are replaced. */
export class Nodes {
  /** @type {Disturbance[]} */
  disturbances = [];
  /** Nodes that did not end by themselves after SIGTERM. @type {string[]} */
  stuck = [];
  #settings;
  #proxy;
  /** @type {{ child: Child, node: number, port: number }[]} */
  #running = [];
  #last = 0;

  /**
   * @param {{ url: string, redis: string, folder: string, stateKey: string }} settings
   * @param {import('../proxy/round-robin-proxy.js').RoundRobinProxy} proxy
   */
  constructor(settings, proxy) {
    this.#settings = settings;
    this.#proxy = proxy;
  }

  get count() {
    return this.#running.length;
  }

  /** Starts a node, and deals requests to it. */
  async start() {
    const node = ++this.#last;
    const child = new Child(`node ${node}`, new URL('./node-process.js', import.meta.url), ['--expose-gc']);
    const { port } = await child.call('begin', { node, ...this.#settings });
    this.#running.push({ child, node, port });
    this.#proxy.add(port);
  }

  /**
   * Returns the heap of the node that lives through.
   *
   * @returns {Promise<number>} bytes
   */
  async heap() {
    const [first] = this.#running;
    if (first === undefined) throw new Error('No node is running.');
    return (await first.child.call('holdings')).heap;
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
    victim.child.kill();
    await victim.child.ended;
    this.#disturbed('kill', victim.node, from);
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

  /** Kills all nodes that are left. */
  abandon() {
    for (const { child } of this.#running.splice(0)) child.kill();
  }

  /**
   * @param {{ child: Child, node: number, port: number }} leaving
   * @param {Warning} warning
   */
  async #end({ child, node, port }, { isWarned }) {
    if (isWarned) this.#proxy.remove(port);
    const from = Date.now();
    child.kill('SIGTERM');
    const end = await ended(child, drainTime);
    if (end?.code !== 0)
      this.stuck.push(
        `node ${node}: ${end === undefined ? 'it had to be killed' : (end.code ?? end.signal)}`,
      );
    this.#disturbed(isWarned ? 'drain' : 'drain without a warning', node, from);
    this.#proxy.remove(port);
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

/**
 * @param {Child} child
 * @param {number} ms
 */
async function ended(child, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((/** @type {(value: undefined) => void} */ resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  const end = await Promise.race([child.ended, late]);
  clearTimeout(timer);
  if (end === undefined) child.kill();
  return end;
}
