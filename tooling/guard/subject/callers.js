// Subjects that are clients: they send their requests themselves.
import { fileURLToPath } from 'node:url';
import { clientInfo, expectedText, goodArguments, wireOf } from '../runs/wire.js';
import { serverOf } from './servers.js';

/** @typedef {import('../runs/runs.js').Run} Run @typedef {(count: number) => Promise<void>} Calls one after another */

const { stringify } = JSON;

/**
 * Sends raw messages to a server in this process.
 *
 * @param {Run} run
 * @returns {Promise<Calls>}
 */
export async function memoryCalls(run) {
  const { serveMemory } = await import('@tenon/mcp-server/memory');
  const wire = wireOf(run);
  const connection = serveMemory(await serverOf(run));
  /** @type {(answer: any) => void} */
  let answered = () => {};
  connection.start({
    receive: (value) => void answered(value),
    malformed: (reason) => void answered({ reason }),
    closed: () => {},
  });
  const ask = (/** @type {object} */ message) =>
    new Promise((resolve) => {
      answered = resolve;
      void connection.send(stringify(message));
    });
  for (const message of wire.opening) {
    if (message.id === undefined) void connection.send(stringify(message));
    else await ask(message);
  }
  let id = 100_000;
  return async (count) => {
    for (let n = 0; n < count; n++) {
      const problem = wire.problem([await ask(wire.request(++id))]);
      if (problem !== undefined) throw new Error(`wrong answer: ${problem}`);
    }
  };
}

/**
 * @param {Run} run
 * @param {string} url
 * @returns {Promise<Calls>}
 */
export async function httpClientCalls(run, url) {
  return clientCalls(run, url);
}

/**
 * @param {Run} run
 * @returns {Promise<Calls>}
 */
export async function stdioClientCalls(run) {
  const args = [fileURLToPath(new URL('../peers/bare-stdio-server.js', import.meta.url))];
  return clientCalls(run, { command: process.execPath, args });
}

/**
 * @param {Run} run
 * @param {string | { command: string, args: string[] }} target
 * @returns {Promise<Calls>}
 */
async function clientCalls(run, target) {
  const { connect } = await import('@tenon/mcp-client');
  const { revision } = wireOf(run);
  const client = await connect(target, { info: clientInfo, revision });
  return async (count) => {
    for (let n = 0; n < count; n++) {
      const { content } = await client.callTool('plan', goodArguments);
      const [block] = content;
      if (block?.type !== 'text' || block.text !== expectedText) {
        throw new Error(`wrong answer: ${stringify(content)}`);
      }
    }
  };
}
