import { Pool } from 'undici';
import { wires, workloads } from '../matrix/wires.js';
import { flawOf, isRefusal, messagesOf, shown } from './answer.js';
import { Exchange } from './exchange.js';
import { refusedRequest, requestText } from './request-text.js';

/**
 * How long a driver asks: for some time, and for some requests at least.
 *
 * @typedef {object} Length
 * @property {number} ms
 * @property {number} [least] requests, however long they take
 * @property {number} depth requests in flight
 *
 * @typedef {{ count: number, ms: number }} Driven requests answered, and the time that took
 */

/** Milliseconds a server may be silent before its row is void. */
const patience = 20_000;

/**
 * Asks a server over HTTP, with as many connections as requests in flight; knows no more of the protocol than it sends. Whatever is wrong
 * with an answer rejects.
 */
export class HttpDriver {
  #url;
  #question;
  #wire;
  #text;
  /** @type {Record<string, string>} headers that a handshake has settled */
  #settled = {};
  /** @type {Map<number, Pool>} by requests in flight */
  #pools = new Map();
  #id = 1;

  /**
   * @param {string} url
   * @param {import('./request-text.js').Question} question
   */
  constructor(url, question) {
    this.#url = new URL(url);
    this.#question = question;
    this.#wire = wires[question.lifecycle];
    this.#text = requestText(question);
  }

  /** Sends what comes before the first request, and keeps to the version and the session that are answered. */
  async open() {
    for (const message of /** @type {{ id?: number, method: string }[]} */ (this.#wire.opening)) {
      const { status, headers, messages } = await this.#post(JSON.stringify(message), message.method);
      const opened = message.id === undefined ? status < 300 : messages.at(-1)?.result !== undefined;
      if (!opened) throw new Error(`${message.method} was answered with ${status}: ${shown(messages)}`);
      if (message.method === 'initialize') this.#settle(messages.at(-1).result, headers['mcp-session-id']);
    }
  }

  /**
   * Asks once and looks at the whole answer.
   *
   * @param {{ validates: boolean }} server `validates` when it is to refuse arguments that break the schema
   */
  async check({ validates }) {
    const id = this.#id++;
    const { workload } = this.#question;
    const { method, name } = workloads[workload];
    const { status, messages } = await this.#post(this.#text(id), method, name);
    const flaw = status === 200 ? flawOf(messages, { id, workload }) : `status ${status}: ${shown(messages)}`;
    if (flaw !== undefined) throw new Error(flaw);
    const refused = validates ? refusedRequest(this.#question, this.#id++) : undefined;
    if (refused === undefined) return;
    const answer = await this.#post(JSON.stringify(refused), method, name);
    if (!isRefusal(answer.messages)) throw new Error('arguments that break the schema were taken');
  }

  /**
   * @param {Length} length
   * @returns {Promise<Driven>}
   */
  run({ ms, least = 1, depth }) {
    const { method, name, messages } = workloads[this.#question.workload];
    const pool = this.#pool(depth);
    const options = /** @type {const} */ ({
      method: 'POST',
      path: this.#url.pathname,
      headers: this.#headers(method, name),
    });
    return new Promise((resolve, reject) => {
      const start = performance.now();
      let count = 0;
      let waiting = 0;
      const send = () => {
        waiting++;
        pool.dispatch({ ...options, body: this.#text(this.#id++) }, new Exchange(messages, onEnd));
      };
      const onEnd = (/** @type {string | undefined} */ flaw) => {
        waiting--;
        if (flaw !== undefined) return reject(new Error(flaw));
        count++;
        const elapsed = performance.now() - start;
        if (elapsed < ms || count < least) send();
        else if (waiting === 0) resolve({ count, ms: elapsed });
      };
      for (let n = 0; n < depth; n++) send();
    });
  }

  /** Ends the session, where the server has an end for it, and every connection. */
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
      ...(this.#question.lifecycle === 'session' && { 'mcp-session-id': String(session) }),
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
  async #post(body, method, name) {
    const answer = await this.#pool(1).request({
      method: 'POST',
      path: this.#url.pathname,
      headers: this.#headers(method, name),
      body,
    });
    const { statusCode: status, headers } = answer;
    const text = await answer.body.text();
    const type = String(headers['content-type'] ?? '');
    return { status, headers, messages: /json|event-stream/.test(type) ? messagesOf(text, type) : [text] };
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
