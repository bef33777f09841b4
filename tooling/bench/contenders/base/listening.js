import { createServer } from 'node:http';

/** @typedef {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown} Handler */

/**
 * Serves on a free port of 127.0.0.1 with a plain `node:http` server, and reports its address.
 *
 * @param {Handler} handler
 * @returns {Promise<string>}
 */
export async function listenOnLoopback(handler) {
  // Longer than the drivers pause between two rounds, so that no measurement includes opening connections.
  const server = createServer({ keepAliveTimeout: 65_000 }, handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return `http://127.0.0.1:${port}/mcp`;
}

/**
 * Returns the parsed body of a POST, like a body parser in front of a framework; undefined for other requests.
 *
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<unknown>}
 */
export async function jsonOf(request) {
  if (request.method !== 'POST') return undefined;
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve, reject) => request.once('end', resolve).once('error', reject));
  return JSON.parse(Buffer.concat(chunks).toString());
}
