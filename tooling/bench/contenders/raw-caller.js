import { wires, workloads } from '../matrix/wires.js';

/** @typedef {import('../matrix/wires.js').Lifecycle} Lifecycle */

/**
 * Something that calls. `run` is for those that can do so with less than a promise for each call.
 *
 * @typedef {object} Caller
 * @property {() => Promise<any>} call resolves with the result of one call
 * @property {() => Promise<unknown>} close
 * @property {(options: { ms: number, depth: number, check: (result: any) => void }) => number | Promise<number>} [run]
 * calls for so many milliseconds, so many in flight, and tells how many were answered
 *
 * A carrier in this process that takes and gives parsed messages.
 *
 * @typedef {object} Carrier
 * @property {(heard: (message: any) => void) => unknown} listen
 * @property {(message: any) => void} send
 * @property {() => unknown} close
 */

/**
 * Makes calls that differ in their id alone.
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
 * Opens a conversation by raw messages, and makes one call at a time.
 *
 * @param {Lifecycle} lifecycle
 * @param {Carrier} carrier
 * @returns {Promise<Caller>}
 */
export async function callInMemory(lifecycle, carrier) {
  const nextCall = callsOf(lifecycle);
  const exchange = new OneByOne(carrier);
  await carrier.listen((message) => exchange.settle(message));
  const [first, ...more] = wires[lifecycle].opening;
  if (first !== undefined) await exchange.ask(first);
  for (const message of more) carrier.send(message);
  return {
    call: () => exchange.ask(nextCall()),
    close: async () => {
      await carrier.close();
    },
  };
}

/** One request at a time, and its answer. */
class OneByOne {
  #carrier;
  /** @type {(result: any) => void} */
  #resolve = () => {};
  /** @type {(error: Error) => void} */
  #reject = () => {};

  /** @param {Carrier} carrier */
  constructor(carrier) {
    this.#carrier = carrier;
  }

  /**
   * @param {object} message
   * @returns {Promise<any>} the result
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#carrier.send(message);
    });
  }

  /** @param {any} answer or, of a server that makes sure, a ping */
  settle(answer) {
    if (answer.method === 'ping') this.#carrier.send({ jsonrpc: '2.0', id: answer.id, result: {} });
    else if (answer.method !== undefined) return;
    else if (answer.result === undefined) this.#reject(new Error(`no result: ${JSON.stringify(answer)}`));
    else this.#resolve(answer.result);
  }
}
