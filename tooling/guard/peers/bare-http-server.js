import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { bareAnswer } from './bare-answer.js';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage @typedef {import('node:http').ServerResponse} ServerResponse */

/**
 * An HTTP server without a framework, for the client runs. It opens one session per `initialize` request.
 *
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export async function bareHttpServer() {
  const server = createServer((request, response) => void answer(request, response));
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function answer(request, response) {
  if (request.method !== 'POST') {
    response.writeHead(request.method === 'DELETE' ? 200 : 405, { 'content-length': 0 }).end();
    return;
  }
  const message = JSON.parse(await text(request));
  const answered = bareAnswer(message);
  if (answered === undefined) {
    response.writeHead(202, { 'content-length': 0 }).end();
    return;
  }
  const body = JSON.stringify(answered);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(message.method === 'initialize' && { 'mcp-session-id': 'the-only-session' }),
  });
  response.end(body);
}
