import { once } from 'node:events';
import { connect } from 'node:net';

/** @typedef {import('../runs/wire.js').Wire} Wire @typedef {import('../runs/wire.js').Message} Message */

/** A client without a framework: one kept-alive socket, one request at a time, each written with one call. */
export class HttpDriver {
  #wire;
  #url;
  #socket;
  /** @type {Record<string, string>} */
  #session = {};
  #id = 100_000;

  /**
   * @param {string} url
   * @param {Wire} wire
   */
  constructor(url, wire) {
    this.#wire = wire;
    this.#url = new URL(url);
    this.#socket = connect(Number(this.#url.port), this.#url.hostname).setNoDelay(true);
  }

  async open() {
    await once(this.#socket, 'connect');
    for (const message of this.#wire.opening) {
      const { status, head } = await this.#post(message);
      if (status >= 300) throw new Error(`${message.method} was answered ${head}`);
      const id = /\r\nmcp-session-id: ([^\r]+)/i.exec(head)?.[1];
      if (id !== undefined) this.#session = { 'mcp-session-id': id };
    }
  }

  /**
   * Sends `count` requests, one after another.
   *
   * @param {number} count
   */
  async run(count) {
    for (let n = 1; n <= count; n++) {
      const { status, head, body } = await this.#post(this.#wire.request(++this.#id));
      if (status !== 200) throw new Error(`a request received the answer ${head}${body}`);
      if (n > 1 && n < count) continue;
      const problem = this.#wire.problem(messagesOf(head, body));
      if (problem !== undefined) throw new Error(`wrong answer: ${problem}`);
    }
  }

  close() {
    this.#socket.destroy();
  }

  /** @param {Message} message */
  #post(message) {
    const body = JSON.stringify(message);
    const headers = {
      host: this.#url.host,
      ...this.#wire.headers(message),
      ...this.#session,
      'content-length': String(Buffer.byteLength(body)),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`POST ${this.#url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    return readResponse(this.#socket);
  }
}

/**
 * @param {import('node:net').Socket} socket
 * @returns {Promise<{ status: number, head: string, body: string }>}
 */
function readResponse(socket) {
  return new Promise((resolve, reject) => {
    let text = '';
    const done = () => {
      socket.off('data', take).off('close', closed).off('error', failed);
    };
    const failed = (/** @type {Error} */ error) => {
      done();
      reject(error);
    };
    const closed = () => failed(new Error(`the server closed the connection after ${text.slice(0, 300)}`));
    const take = (/** @type {Buffer} */ chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = text.slice(0, end);
      const body = text.slice(end + 4);
      if (!isWhole(head, body)) return;
      done();
      resolve({ status: Number(head.slice(9, 12)), head, body });
    };
    socket.on('data', take).on('close', closed).on('error', failed);
  });
}

/**
 * @param {string} head
 * @param {string} body
 */
function isWhole(head, body) {
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return body.endsWith('0\r\n\r\n');
  return body.length >= Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
}

/**
 * @param {string} head
 * @param {string} body
 * @returns {any[]}
 */
function messagesOf(head, body) {
  if (!/\r\ncontent-type: text\/event-stream/i.test(head)) return [JSON.parse(body)];
  const data = [...body.matchAll(/^data: (.+)$/gm)].map(([, text]) => text ?? '');
  return data.map((text) => JSON.parse(text));
}
