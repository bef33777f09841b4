import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';

/**
 * One request that passed, and the response so far.
 *
 * @typedef {object} Passage
 * @property {string} method of HTTP
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {any} message the body, if it is JSON
 * @property {number | undefined} status
 * @property {import('node:http').IncomingHttpHeaders} answered headers of the response
 * @property {string} text of the response so far
 * @property {boolean} cut
 * @property {() => void} cutOff breaks both of its connections
 */

/** A proxy between a client and a server. It records all requests, and can break connections. */
export class WireTap {
  /** @type {Passage[]} */
  passages = [];
  #wake = () => {};
  #origin;
  #server = createServer((request, response) => this.#pass(request, response));

  /** @param {string} url of the server */
  constructor(url) {
    this.#origin = new URL(url);
  }

  /** Starts listening, and returns the URL of the proxy. */
  async open() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}${this.#origin.pathname}`;
  }

  async close() {
    for (const passage of this.passages) passage.cutOff();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /**
   * Waits for a passage.
   *
   * @param {(passage: Passage) => unknown} wanted
   * @returns {Promise<Passage>}
   */
  async seen(wanted) {
    for (;;) {
      const found = this.passages.find(wanted);
      if (found !== undefined) return found;
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined);
      });
    }
  }

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async #pass(request, response) {
    const body = Buffer.concat(await request.toArray());
    const { method = '', headers } = request;
    /** @type {Passage} */
    const passage = {
      method,
      headers,
      message: parsed(body),
      status: undefined,
      answered: {},
      text: '',
      cut: false,
      cutOff() {
        passage.cut = true;
        response.destroy();
        onward.destroy();
      },
    };
    const onward = forward(new URL(request.url ?? '', this.#origin), { method, headers });
    this.passages.push(passage);
    response.on('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
    onward.on('response', (answer) => {
      Object.assign(passage, { status: answer.statusCode, answered: answer.headers });
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('data', (chunk) => {
        if (passage.cut) return;
        response.write(chunk);
        passage.text += chunk;
        this.#wake();
      });
      answer.on('end', () => response.end());
      answer.on('error', () => response.destroy());
      this.#wake();
    });
    onward.end(body);
  }
}

/** @param {Buffer} body */
function parsed(body) {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
