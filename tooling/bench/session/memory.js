// In one process: `driver` rows send raw messages to a server, `client` rows call through a client.
import { checkResult, clientInfo, goodArguments, wires } from './call.js';
import { roundTrip } from './floor.js';
import { officialServer, tenonServer } from './servers.js';

/** @typedef {import('./call.js').Wire} Wire */
/** @typedef {{ call: (id: number) => Promise<any>, close?: () => Promise<void>, run?: (ms: number) => number }} Caller */

/**
 * @param {Wire} wire
 * @returns {Caller & { run: (ms: number) => number }}
 */
export function floorCaller(wire) {
  let id = 1;
  return {
    call: async (given) => roundTrip(wire, given, goodArguments).result,
    run(ms) {
      const end = performance.now() + ms;
      let count = 0;
      do {
        for (let n = 0; n < 64; n++) checkShape(roundTrip(wire, id++, goodArguments).result);
        count += 64;
      } while (performance.now() < end);
      return count;
    },
  };
}

/**
 * @param {Wire} wire
 * @param {'json' | 'zod'} schema
 * @returns {Promise<Caller>}
 */
export async function tenonCaller(wire, schema) {
  const { serveMemory } = await import('@tenon/mcp-server/memory');
  const connection = serveMemory(await tenonServer(schema));
  const pending = new Pending((message) => void connection.send(JSON.stringify(message)));
  connection.start({
    receive: (value) => void pending.settle(value),
    malformed: (reason) => void pending.fail(new Error(reason)),
    closed: () => {},
  });
  await pending.open(wire);
  return { call: (id) => pending.ask(wire.request(id, goodArguments)), close: () => connection.close() };
}

/**
 * @param {Wire} wire
 * @returns {Promise<Caller>}
 */
export async function officialCaller(wire) {
  const { InMemoryTransport } = await import('@modelcontextprotocol/server');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = await officialServer();
  serveStdio(() => server, { transport: far });
  const pending = new Pending((message) => void near.send(message));
  near.onmessage = (message) => pending.settle(message);
  await near.start();
  await pending.open(wire);
  return { call: (id) => pending.ask(wire.request(id, goodArguments)), close: () => near.close() };
}

/**
 * @param {Wire} wire
 * @returns {Promise<Caller>}
 */
export async function tenonClient(wire) {
  const { connectMemory } = await import('@tenon/mcp-client/memory');
  const options = { info: clientInfo, revision: wire.revision };
  /** @type {any} */
  const client = await connectMemory(await tenonServer('json'), options);
  return { call: () => client.callTool('plan', goodArguments), close: () => client.close() };
}

/**
 * @param {Wire} wire
 * @returns {Promise<Caller>}
 */
export async function officialClient(wire) {
  const { Client, InMemoryTransport } = await import('@modelcontextprotocol/client');
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = await officialServer();
  serveStdio(() => server, { transport: far });
  const mode = wire === wires.stateless ? { pin: wire.revision } : 'legacy';
  const client = new Client(clientInfo, { versionNegotiation: { mode } });
  await client.connect(near);
  return {
    call: () => client.callTool({ name: 'plan', arguments: goodArguments }),
    close: () => client.close(),
  };
}

/**
 * Calls one after another for some time.
 *
 * @param {Caller} caller
 * @param {number} ms
 */
export async function callInTurn(caller, ms) {
  const end = performance.now() + ms;
  let count = 0;
  do {
    for (let n = 0; n < 64; n++) checkShape(await caller.call(++lastId));
    count += 64;
  } while (performance.now() < end);
  return count;
}

let lastId = 1_000_000;

/** @param {any} result */
function checkShape(result) {
  if (result.content.length !== 1 || result.isError === true) checkResult(result);
}

/** One request at a time, and its answer. */
class Pending {
  #send;
  /** @type {(result: any) => void} */
  #resolve = () => {};
  /** @type {(error: Error) => void} */
  #reject = () => {};

  /** @param {(message: any) => void} send */
  constructor(send) {
    this.#send = send;
  }

  /** @param {Wire} wire */
  async open({ opening: [first, ...more] }) {
    await this.ask(/** @type {object} */ (first));
    for (const message of more) this.#send(message);
  }

  /**
   * @param {object} message
   * @returns {Promise<any>} the result
   */
  ask(message) {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#send(message);
    });
  }

  /** @param {any} answer */
  settle(answer) {
    if (answer.result === undefined)
      this.#reject(new Error(`an error was answered: ${JSON.stringify(answer)}`));
    else this.#resolve(answer.result);
  }

  /** @param {Error} error */
  fail(error) {
    this.#reject(error);
  }
}
