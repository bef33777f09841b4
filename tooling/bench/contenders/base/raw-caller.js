import { wires, workloads } from '../../matrix/wires.js';

/** @typedef {import('../../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * A caller. `run` is for callers that need less than a promise for each call.
 *
 * @typedef {object} Caller
 * @property {() => Promise<unknown>} call resolves with the result of one call
 * @property {() => Promise<unknown>} close
 * @property {(options: { ms: number, depth: number, check: (result: unknown) => void }) => number | Promise<number>} [run]
 * calls for `ms` milliseconds with `depth` calls in flight; returns the number of answered calls
 * @property {Caller} [beside] a caller that is measured in turn with this one, in the same process
 *
 * A parsed message.
 *
 * @typedef {object} Message
 * @property {number | string} [id]
 * @property {string} [method] undefined for an answer
 * @property {unknown} [result]
 *
 * A transport in this process that sends and receives parsed messages.
 *
 * @typedef {object} Transport
 * @property {(onMessage: (message: Message) => void) => unknown} listen
 * @property {(message: object) => void} send
 * @property {() => unknown} close
 */

/**
 * Returns calls that differ only in their id.
 *
 * @param {Lifecycle} lifecycle
 * @returns {() => object}
 */
export function callsOf(lifecycle) {
  const { method, params: given } = workloads.call;
  const { params } = /** @type {{ params?: unknown }} */ (wires[lifecycle].request(0, method, given(0)));
  let id = 1;
  return () => ({ jsonrpc: '2.0', id: id++, method, params });
}

/**
 * Opens a conversation with raw messages, and makes one call at a time.
 *
 * @param {Lifecycle} lifecycle
 * @param {Transport} transport
 * @returns {Promise<Caller>}
 */
export async function callInMemory(lifecycle, transport) {
  const nextCall = callsOf(lifecycle);
  const exchange = new OneByOne(transport);
  await transport.listen((message) => exchange.settle(message));
  const [first, ...more] = wires[lifecycle].opening;
  if (first !== undefined) await exchange.ask(first);
  for (const message of more) transport.send(message);
  return {
    call: () => exchange.ask(nextCall()),
    close: async () => {
      await transport.close();
    },
  };
}

/** Sends one request at a time, and waits for its answer. */
class OneByOne {
  #transport;
  /** @type {(result: unknown) => void} */
  #resolve = () => {};
  /** @type {(error: Error) => void} */
  #reject = () => {};

  /** @param {Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * @param {object} message
   * @returns {Promise<unknown>} the result
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#transport.send(message);
    });
  }

  /** @param {Message} answer or a ping of the server */
  settle(answer) {
    if (answer.method === 'ping') this.#transport.send({ jsonrpc: '2.0', id: answer.id, result: {} });
    else if (answer.method !== undefined) return;
    else if (answer.result === undefined) this.#reject(new Error(`no result: ${JSON.stringify(answer)}`));
    else this.#resolve(answer.result);
  }
}
