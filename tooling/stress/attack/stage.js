import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { alone, statelessHeaders } from '../wire/messages.js';
import { postHeaders, request } from '../wire/requests.js';
import { endSession, openSession } from '../wire/sessions.js';

/** @typedef {import('node:net').Socket} Socket */
/** @typedef {Readonly<Record<string, string>>} Headers */

/** The sessions of one attack, and its connections, which read only on request. */
export class Stage {
  url;
  /** Milliseconds an attacker keeps its connections open. */
  patience;
  #agent = new Agent({ keepAlive: true, maxSockets: 32 });
  /** @type {Set<Socket>} */
  #sockets = new Set();
  /** @type {import('../wire/sessions.js').Session[]} */
  #sessions = [];

  /**
   * @param {string} url
   * @param {number} seconds
   */
  constructor(url, seconds) {
    this.url = new URL(url);
    this.patience = seconds * 1_000;
  }

  /** Connections that the server has not closed. */
  get open() {
    return [...this.#sockets].filter((socket) => !socket.destroyed).length;
  }

  /** Keeps everything open for a while. */
  hold() {
    return pause(this.patience);
  }

  /**
   * Sends the bytes of a request again after each answer, once at least, until the time is over.
   *
   * @param {Socket} socket
   * @param {Buffer} bytes
   */
  async repeat(socket, bytes) {
    const until = performance.now() + this.patience;
    do {
      socket.write(bytes);
      socket.resume();
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    } while (performance.now() < until && !socket.destroyed);
  }

  /**
   * Opens a connection that reads nothing until it is resumed.
   *
   * @returns {Promise<Socket>}
   */
  socket() {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.url.hostname, port: Number(this.url.port) });
      this.#sockets.add(socket);
      socket.pause();
      socket.once('connect', () => {
        // The server may close a connection to defend itself: the attack has not failed then.
        socket.on('error', () => {});
        socket.off('error', reject);
        resolve(socket);
      });
      socket.once('error', reject);
    });
  }

  /** @param {number} count */
  sockets(count) {
    return Promise.all(Array.from({ length: count }, () => this.socket()));
  }

  /**
   * Returns the bytes of a request.
   *
   * @param {object} message
   * @param {Headers} [headers]
   */
  bytes(message, headers = {}) {
    const body = Buffer.from(JSON.stringify(message));
    return Buffer.concat([
      Buffer.from(this.head('POST', { ...headers, 'content-length': String(body.length) })),
      body,
    ]);
  }

  /**
   * @param {string} method
   * @param {Headers} headers
   */
  head(method, headers) {
    const all = { host: this.url.host, ...postHeaders, ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${this.url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n`;
  }

  /**
   * Returns the bytes of a request in the stateless revision.
   *
   * @param {ReturnType<typeof import('../wire/messages.js').request>} message
   */
  aloneBytes(message) {
    return this.bytes(alone(message), statelessHeaders(message));
  }

  /**
   * Posts a message in the stateless revision, and reads the complete answer.
   *
   * @param {ReturnType<typeof import('../wire/messages.js').request>} message
   * @param {Readonly<Record<string, unknown>>} [meta]
   */
  postAlone(message, meta) {
    return this.post(alone(message, meta), statelessHeaders(message));
  }

  /**
   * Posts a message, and reads the complete answer.
   *
   * @param {object} message
   * @param {Headers} [headers]
   * @param {URL} [url]
   */
  post(message, headers = {}, url = this.url) {
    return request(url.href, { agent: this.#agent, method: 'POST', headers, message });
  }

  /**
   * Opens a session; returns the headers for requests in it.
   *
   * @param {string} revision
   * @returns {Promise<Headers>}
   */
  async session(revision) {
    const session = await openSession(this.url.href, { revision, agent: this.#agent });
    this.#sessions.push(session);
    return session.headers;
  }

  /**
   * Runs a task for each number, sixteen at a time. Failures do not stop the others.
   *
   * @param {number} count
   * @param {(index: number) => Promise<unknown>} task
   */
  async each(count, task) {
    let next = 0;
    const worker = async () => {
      while (next < count) await task(next++).catch(() => {});
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  }

  /** Breaks all connections, then ends the sessions. */
  async leave() {
    for (const socket of this.#sockets) socket.destroy();
    const { href } = this.url;
    const ends = this.#sessions.map((session) => () => endSession(href, session, this.#agent));
    await this.each(ends.length, async (index) => ends[index]?.());
    this.#agent.destroy();
  }
}
