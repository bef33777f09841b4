import { createServer } from 'node:http';

/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} Handler */

/**
 * Serves on a free port of 127.0.0.1 with a plain `node:http` server, and tells its address.
 *
 * @param {Handler} handler
 * @returns {Promise<string>}
 */
export async function listenOnLoopback(handler) {
  // As long as the drivers may pause between two rounds, so that no contender is measured opening connections.
  const server = createServer({ keepAliveTimeout: 65_000 }, handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}/mcp`;
}

/**
 * The body of a POST, parsed, as a body parser in front of a framework has it; undefined for other requests.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<any>}
 */
export async function jsonOf(request) {
  if (request.method !== 'POST') return undefined;
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve, reject) => request.once('end', resolve).once('error', reject));
  return JSON.parse(Buffer.concat(chunks).toString());
}
