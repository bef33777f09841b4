import { request } from 'node:http';
import { postHeaders } from './requests.js';

const revision = '2026-07-28';

/** An open `subscriptions/listen` request, on a socket of its own. */
export class ListenStream {
  /** The number of list changes received. */
  changes = 0;
  over = false;
  #request;
  #rest = '';
  #acknowledged = () => {};

  /**
   * @param {string} url
   * @param {number} id
   * @returns {Promise<ListenStream>} resolves when the server has acknowledged the request
   */
  static open(url, id) {
    return new Promise((resolve, reject) => {
      const stream = new ListenStream(url, id, reject);
      stream.#acknowledged = () => resolve(stream);
    });
  }

  /**
   * @param {string} url
   * @param {number} id
   * @param {(error: Error) => void} failed
   */
  constructor(url, id, failed) {
    const headers = {
      ...postHeaders,
      'mcp-protocol-version': revision,
      'mcp-method': 'subscriptions/listen',
    };
    this.#request = request(url, { agent: false, method: 'POST', headers }, (answer) => {
      if (answer.statusCode !== 200)
        failed(new Error(`A listen request was answered with HTTP ${answer.statusCode}.`));
      answer.setEncoding('utf8');
      answer.on('data', (text) => this.#take(text));
      answer.on('close', () => {
        this.over = true;
      });
      answer.on('error', () => {});
    });
    this.#request.on('error', failed);
    this.#request.end(JSON.stringify(messageOf(id)));
  }

  close() {
    this.#request.destroy();
  }

  /** @param {string} text */
  #take(text) {
    this.#rest += text;
    const events = this.#rest.split('\n\n');
    this.#rest = events.pop() ?? '';
    for (const event of events) {
      if (event.includes('"notifications/subscriptions/acknowledged"')) this.#acknowledged();
      else if (event.includes('"notifications/tools/list_changed"')) this.changes++;
    }
  }
}

/** @param {number} id */
function messageOf(id) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { _meta, notifications: { toolsListChanged: true } };
  return { jsonrpc: '2.0', id, method: 'subscriptions/listen', params };
}
