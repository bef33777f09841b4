import { Pool } from 'undici';
import { wires, workloads } from '../matrix/wires.js';
import { isRefusal, problemOf, shown } from './answer.js';
import { Exchange } from './exchange.js';
import { keepInFlight } from './in-flight.js';
import { post } from './post.js';
import { refusedRequest, requestText } from './request-text.js';

/** @typedef {import('./in-flight.js').Length} Length */

/** Milliseconds without an answer until the row has no figure. */
const patience = 20_000;

/**
 * Sends requests to a server over HTTP, with as many connections as requests in flight. Rejects if an answer has a
 * problem.
 */
export class HttpDriver {
  #url;
  #kind;
  #wire;
  #text;
  /** @type {Record<string, string>} headers set by the handshake */
  #settled = {};
  /** @type {Map<number, Pool>} by number of requests in flight */
  #pools = new Map();
  #id = 1;

  /**
   * @param {string} url
   * @param {import('./request-text.js').RequestKind} kind
   */
  constructor(url, kind) {
    this.#url = new URL(url);
    this.#kind = kind;
    this.#wire = wires[kind.lifecycle];
    this.#text = requestText(kind);
  }

  /** Sends the messages before the first request, and keeps the negotiated version and the session. */
  async open() {
    for (const message of /** @type {{ id?: number, method: string }[]} */ (this.#wire.opening)) {
      const { status, headers, messages } = await this.#post(JSON.stringify(message), message.method);
      const opened = message.id === undefined ? status < 300 : messages.at(-1)?.result !== undefined;
      if (!opened) throw new Error(`${message.method} was answered with ${status}: ${shown(messages)}`);
      if (message.method === 'initialize') this.#settle(messages.at(-1).result, headers['mcp-session-id']);
    }
  }

  /**
   * Sends one request and checks the complete answer.
   *
   * @param {{ validates: boolean }} server `validates` if it must reject invalid arguments
   */
  async check({ validates }) {
    const id = this.#id++;
    const { workload } = this.#kind;
    const { method, name } = workloads[workload];
    const { status, messages } = await this.#post(this.#text(id), method, name);
    const problem =
      status === 200 ? problemOf(messages, { id, workload }) : `status ${status}: ${shown(messages)}`;
    if (problem !== undefined) throw new Error(problem);
    const refused = validates ? refusedRequest(this.#kind, this.#id++) : undefined;
    if (refused === undefined) return;
    const answer = await this.#post(JSON.stringify(refused), method, name);
    if (!isRefusal(answer.messages)) throw new Error('The server accepted invalid arguments.');
  }

  /**
   * @param {Length} length
   * @returns {Promise<import('./in-flight.js').Driven>}
   */
  run(length) {
    const { method, name, messages } = workloads[this.#kind.workload];
    const pool = this.#pool(length.depth);
    const options = /** @type {const} */ ({
      method: 'POST',
      path: this.#url.pathname,
      headers: this.#headers(method, name),
    });
    return keepInFlight(length, (onEnd) => {
      pool.dispatch({ ...options, body: this.#text(this.#id++) }, new Exchange(messages, onEnd));
    });
  }

  /** Ends the session if the server supports it, and closes every connection. */
  async close() {
    try {
      if (this.#settled['mcp-session-id'] !== undefined) await this.#end();
    } finally {
      await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
    }
  }

  /**
   * @param {{ protocolVersion: string }} result
   * @param {string | string[] | undefined} session
   */
  #settle({ protocolVersion }, session) {
    this.#settled = {
      'mcp-protocol-version': protocolVersion,
      ...(this.#kind.lifecycle === 'session' && { 'mcp-session-id': String(session) }),
    };
  }

  async #end() {
    const request = /** @type {const} */ ({ method: 'DELETE', path: this.#url.pathname });
    const { body } = await this.#pool(1).request({ ...request, headers: this.#headers('') });
    await body.dump();
  }

  /**
   * @param {string} body
   * @param {string} method
   * @param {string} [name]
   */
  #post(body, method, name) {
    return post(this.#pool(1), { path: this.#url.pathname, headers: this.#headers(method, name), body });
  }

  /**
   * @param {string} method
   * @param {string} [name]
   */
  #headers(method, name) {
    return { ...this.#wire.headers(method, name), ...this.#settled };
  }

  /** @param {number} depth */
  #pool(depth) {
    let pool = this.#pools.get(depth);
    if (pool === undefined) {
      const timeouts = { headersTimeout: patience, bodyTimeout: patience };
      pool = new Pool(this.#url.origin, { connections: depth, pipelining: 1, ...timeouts });
      this.#pools.set(depth, pool);
    }
    return pool;
  }
}
