import { Pool } from 'undici';
import { messagesOf } from '../drivers/answer.js';
import { wires, workloads } from '../matrix/wires.js';
import { inLanes } from './lanes.js';

/**
 * A session from the client's side: the headers of all later requests.
 *
 * @typedef {Record<string, string>} Session
 */

const wire = wires.session;
/** Connections, and so concurrent handshakes: many, because one of the servers takes a second for each. */
const most = 256;

/** Opens sessions with a server over HTTP, leaves them idle after the handshake, and ends them. */
export class Handshakes {
  #url;
  #connections;
  #pool;

  /**
   * @param {string} url
   * @param {number} [connections] at the same time
   */
  constructor(url, connections = most) {
    this.#url = new URL(url);
    this.#connections = connections;
    this.#pool = this.#newPool();
  }

  /**
   * @param {number} count
   * @returns {Promise<Session[]>}
   */
  open(count) {
    return inLanes(Array.from({ length: count }), this.#connections, () => this.#openOne());
  }

  /**
   * Ends sessions, if the server allows clients to end them.
   *
   * @param {readonly Session[]} sessions
   */
  async end(sessions) {
    await inLanes(sessions, this.#connections, (session) =>
      this.#send('DELETE', { ...wire.headers(''), ...session }),
    );
  }

  /**
   * Makes a call in a session.
   *
   * @param {Session | undefined} session
   * @returns {Promise<string | undefined>} the problem with the answer
   */
  async problem(session) {
    const { method, name, params, problem } = workloads.call;
    const headers = { ...wire.headers(method, name), ...session };
    const { status, messages } = await this.#send('POST', headers, wire.request(1, method, params(1)));
    return status === 200 ? problem(messages.at(-1)?.result) : `status ${status}`;
  }

  /** Closes all connections; new ones are opened when needed. */
  async disconnect() {
    const pool = this.#pool;
    this.#pool = this.#newPool();
    await pool.close();
  }

  close() {
    return this.#pool.destroy();
  }

  #newPool() {
    return new Pool(this.#url.origin, {
      connections: this.#connections,
      pipelining: 1,
      headersTimeout: 20_000,
      bodyTimeout: 20_000,
    });
  }

  /** @returns {Promise<Session>} */
  async #openOne() {
    /** @type {Session} */
    const session = {};
    for (const message of wire.opening) {
      const headers = { ...wire.headers(''), ...session };
      const answer = await this.#send('POST', headers, message);
      const revision = answer.messages.at(-1)?.result?.protocolVersion;
      if (answer.status >= 300) throw new Error(`A handshake was answered with HTTP ${answer.status}.`);
      if (answer.session !== undefined) session['mcp-session-id'] = answer.session;
      if (revision !== undefined) session['mcp-protocol-version'] = revision;
    }
    if (session['mcp-session-id'] === undefined) throw new Error('The handshake opened no session.');
    return session;
  }

  /**
   * @param {'POST' | 'DELETE'} method
   * @param {Record<string, string>} headers
   * @param {object} [message]
   */
  async #send(method, headers, message) {
    const content = message === undefined ? {} : { body: JSON.stringify(message) };
    const answer = await this.#pool.request({ method, path: this.#url.pathname, headers, ...content });
    const text = await answer.body.text();
    const type = String(answer.headers['content-type'] ?? '');
    const messages = answer.statusCode === 200 && method === 'POST' ? messagesOf(text, type) : [];
    return { status: answer.statusCode, session: singleOf(answer.headers['mcp-session-id']), messages };
  }
}

/** @param {string | string[] | undefined} header */
const singleOf = (header) => (Array.isArray(header) ? header[0] : header);
