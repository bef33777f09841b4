import { Pool } from 'undici';
import { isRefusal, problemOf, shown } from '../drivers/answer.js';
import { Exchange } from '../drivers/exchange.js';
import { keepInFlight } from '../drivers/in-flight.js';
import { post } from '../drivers/post.js';
import { refusedRequest, requestText } from '../drivers/request-text.js';
import { wires, workloads } from '../matrix/wires.js';
import { dealt } from './dealing.js';
import { depth } from './rows.js';

/** @typedef {Record<string, string>} Headers of requests in one session */

/** Milliseconds without an answer until the row has no figure. */
const patience = 20_000;

/**
 * Sends requests to several processes in turn, without a proxy, over connections that stay open.
 */
export class ClusterDriver {
  #kind;
  #path;
  #pools;
  #text;
  /** @type {readonly Headers[]} */
  #sessions = [];
  #visits = 1;
  #next = 0;
  #id = 1;

  /**
   * @param {readonly string[]} urls one for each process
   * @param {import('../drivers/request-text.js').RequestKind} kind
   */
  constructor(urls, kind) {
    const [first = ''] = urls;
    const timeouts = { headersTimeout: patience, bodyTimeout: patience };
    this.#kind = kind;
    this.#path = new URL(first).pathname;
    this.#text = requestText(kind);
    this.#pools = urls.map(
      (url) => new Pool(new URL(url).origin, { connections: depth, pipelining: 1, ...timeouts }),
    );
    this.use([{}], { everywhere: true });
  }

  /**
   * Sends the next requests in these sessions, from the first one on.
   *
   * @param {readonly Record<string, string>[]} sessions headers that a handshake has set
   * @param {{ everywhere: boolean }} options `everywhere` if each process gets requests of all sessions. Else each session has one
   *   process: the first session the first process, and so on
   */
  use(sessions, { everywhere }) {
    const { method, name } = workloads[this.#kind.workload];
    const common = wires[this.#kind.lifecycle].headers(method, name);
    this.#sessions = sessions.map((session) => ({ ...common, ...session }));
    this.#visits = everywhere ? this.#pools.length : 1;
    this.#next = 0;
  }

  /**
   * Sends one request to each process, and checks the complete answer.
   *
   * @param {{ validates: boolean }} server `validates` if it must reject invalid arguments
   */
  async check({ validates }) {
    const { workload } = this.#kind;
    for (const [index, pool] of this.#pools.entries()) {
      const headers = /** @type {Headers} */ (this.#sessions[index % this.#sessions.length]);
      const id = this.#id++;
      const answer = await post(pool, { path: this.#path, headers, body: this.#text(id) });
      const { status, messages } = answer;
      const problem =
        status === 200 ? problemOf(messages, { id, workload }) : `status ${status}: ${shown(messages)}`;
      if (problem !== undefined) throw new Error(problem);
      const refused = validates ? refusedRequest(this.#kind, this.#id++) : undefined;
      if (refused === undefined) continue;
      const refusal = await post(pool, { path: this.#path, headers, body: JSON.stringify(refused) });
      if (!isRefusal(refusal.messages)) throw new Error('The server accepted invalid arguments.');
    }
  }

  /**
   * @param {import('../drivers/in-flight.js').Length} length
   * @returns {Promise<import('../drivers/in-flight.js').Driven & { latencies: number[] }>} the milliseconds of each request
   */
  async run(length) {
    const { messages } = workloads[this.#kind.workload];
    /** @type {number[]} */
    const latencies = [];
    const driven = await keepInFlight(length, (onEnd) => {
      const { pool, headers } = this.#deal();
      const start = performance.now();
      const ended = (/** @type {string | undefined} */ problem) => {
        latencies.push(performance.now() - start);
        onEnd(problem);
      };
      const request = { path: this.#path, headers, body: this.#text(this.#id++) };
      pool.dispatch({ method: 'POST', ...request }, new Exchange(messages, ended));
    });
    return { ...driven, latencies };
  }

  async close() {
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
  }

  #deal() {
    const processes = this.#pools.length;
    const among = { processes, sessions: this.#sessions.length, visits: this.#visits };
    const { process, session } = dealt(this.#next++, among);
    return {
      pool: /** @type {Pool} */ (this.#pools[process]),
      headers: /** @type {Headers} */ (this.#sessions[session]),
    };
  }
}
