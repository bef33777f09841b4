import { Pool } from 'undici';
import { wires, workloads } from '../../matrix/wires.js';
import { callsOf } from '../base/raw-caller.js';

/**
 * Calls through a raw undici pool. Each call has a promise, a handler that joins the body, and a JSON.parse.
 *
 * @param {import('../../matrix/wires.js').Lifecycle} lifecycle
 * @param {string} url
 * @returns {Promise<import('../base/raw-caller.js').Caller>}
 */
export async function httpClient(lifecycle, url) {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: 64, headersTimeout: 0, bodyTimeout: 0 });
  const wire = wires[lifecycle];
  const { method, name } = workloads.call;
  /** @type {(message: object, headers: Record<string, string>, answer: Answer) => void} */
  const post = (message, headers, answer) =>
    void pool.dispatch({ method: 'POST', path, headers, body: JSON.stringify(message) }, answer);
  const session = await openOver(post, wire);
  const headers = { ...wire.headers(method, name), ...session };
  const nextCall = callsOf(lifecycle);
  return {
    call: () =>
      new Promise((resolve, reject) => {
        const answer = new Answer(() => resolve(answer.message.result), reject);
        post(nextCall(), headers, answer);
      }),
    close: () => pool.destroy(),
  };
}

/**
 * Sends the messages before the first call.
 *
 * @param {(message: object, headers: Record<string, string>, answer: Answer) => void} post
 * @param {import('../../matrix/wires.js').Wire} wire
 * @returns {Promise<Record<string, string>>} the session header, if a session was opened
 */
async function openOver(post, { opening, headers }) {
  /** @type {Record<string, string>} */
  let session = {};
  for (const message of /** @type {{ method: string }[]} */ (opening)) {
    await new Promise((resolve, reject) => {
      const answer = new Answer(() => {
        const id = answer.headers['mcp-session-id'];
        if (id !== undefined) session = { 'mcp-session-id': String(id) };
        resolve(undefined);
      }, reject);
      post(message, { ...headers(message.method), ...session }, answer);
    });
  }
  return session;
}

/** Joins and parses one answer. */
class Answer {
  /** @type {Record<string, string | string[] | undefined>} */
  headers = {};
  /** @type {any} */
  message;
  #onEnd;
  #onError;
  /** @type {Buffer[]} */
  #chunks = [];

  /**
   * @param {() => void} onEnd
   * @param {(error: Error) => void} onError
   */
  constructor(onEnd, onError) {
    this.#onEnd = onEnd;
    this.#onError = onError;
  }

  /** Undici requires this method of current handlers. */
  onRequestStart() {}

  /**
   * @param {unknown} _
   * @param {number} status
   * @param {Record<string, string | string[] | undefined>} headers
   */
  onResponseStart(_, status, headers) {
    if (status >= 300) this.#onError(new Error(`HTTP ${status}`));
    this.headers = headers;
  }

  /**
   * @param {unknown} _
   * @param {Buffer} chunk
   */
  onResponseData(_, chunk) {
    this.#chunks.push(chunk);
  }

  onResponseEnd() {
    const [first, ...more] = this.#chunks;
    if (first !== undefined)
      this.message = JSON.parse(String(more.length === 0 ? first : Buffer.concat(this.#chunks)));
    this.#onEnd();
  }

  /**
   * @param {unknown} _
   * @param {Error} error
   */
  onResponseError(_, error) {
    this.#onError(error);
  }
}
