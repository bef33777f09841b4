import { alone, request, statelessHeaders } from '../wire/messages.js';
import { send } from '../wire/requests.js';

/** An open `subscriptions/listen` request, on a socket of its own. */
export class ListenStream {
  /** The number of list changes received. */
  changes = 0;
  over = false;
  #connection = new AbortController();

  /**
   * @param {string} url
   * @param {number} id
   * @returns {Promise<ListenStream>} resolves when the server has acknowledged the request
   */
  static async open(url, id) {
    const stream = new ListenStream();
    const listen = request(id, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
    const { signal } = stream.#connection;
    const sent = { headers: statelessHeaders(listen), message: alone(listen), signal };
    const { status, events } = await send(url, { method: 'POST', ...sent });
    if (status !== 200) throw new Error(`A listen request was answered with HTTP ${status}.`);
    for (let method; method !== 'notifications/subscriptions/acknowledged'; ) {
      const { value, done } = await events.next();
      if (done) throw new Error('A listen request was not acknowledged.');
      method = value.message?.method;
    }
    void stream.#read(events);
    return stream;
  }

  close() {
    this.#connection.abort();
  }

  /** @param {AsyncGenerator<import('../wire/requests.js').WireEvent>} events */
  async #read(events) {
    for await (const { message } of events)
      if (message?.method === 'notifications/tools/list_changed') this.changes++;
    this.over = true;
  }
}
