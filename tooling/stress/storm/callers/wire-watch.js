/** @typedef {import('@tenon/mcp-protocol').Connection} Connection */
/** @typedef {import('../findings/ledger.js').Ledger} Ledger */

/**
 * Checks every message that a connection delivers: none may come twice.
 *
 * @param {Connection} connection
 * @param {Ledger} ledger
 * @returns {Connection}
 */
export function watched(connection, ledger) {
  const watch = new WireWatch(ledger);
  const start = connection.start.bind(connection);
  connection.start = (receiver) =>
    start({
      receive(value, exchange) {
        watch.see(value);
        return receiver.receive(value, exchange);
      },
      malformed: (reason, exchange) => receiver.malformed(reason, exchange),
      closed: (reason) => receiver.closed(reason),
    });
  return connection;
}

class WireWatch {
  #ledger;
  /** @type {Set<unknown>} */
  #answered = new Set();
  /** @type {Map<unknown, number>} */
  #progress = new Map();

  /** @param {Ledger} ledger */
  constructor(ledger) {
    this.#ledger = ledger;
  }

  /** @param {unknown} value */
  see(value) {
    if (Array.isArray(value)) for (const one of value) this.#seeOne(one);
    else this.#seeOne(/** @type {any} */ (value));
  }

  /** @param {{ id?: unknown, method?: string, params?: any }} message */
  #seeOne({ id, method, params }) {
    if (method === undefined && id !== undefined) {
      if (this.#answered.has(id)) this.#ledger.recordFault('answered twice on the wire', `id ${id}`);
      this.#answered.add(id);
      this.#progress.delete(id);
    } else if (method === 'notifications/progress') {
      const { progressToken, progress } = params;
      const last = this.#progress.get(progressToken) ?? 0;
      if (progress <= last) {
        this.#ledger.recordFault(
          'event twice on the wire',
          `request ${progressToken}: progress ${progress} after ${last}`,
        );
      }
      this.#progress.set(progressToken, progress);
    }
  }
}
