import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * A handler of `node:http` requests; each framework has its own types for it.
 *
 * @typedef {(request: any, response: any, body: unknown) => unknown} Handler
 */

/**
 * Listens on a free port of 127.0.0.1, and prints its addresses. Runs until the process is ended.
 *
 * @param {Record<string, Handler>} handlers by path; they get the body already parsed
 */
export function listenOnLoopback(handlers) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const handler = handlers[pathname];
    if (handler === undefined) response.writeHead(404).end();
    else await handler(request, response, await bodyOf(request));
  });
  server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(addressesOf(server))));
}

/**
 * Listens on a free port of 127.0.0.1 for a handler that must know its address, then prints the addresses.
 *
 * @param {(url: URL) => Promise<(request: any, response: any) => unknown>} make
 */
export async function listenThen(make) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const addresses = addressesOf(server);
  const handler = await make(new URL(addresses.url));
  server.on('request', handler);
  console.log(JSON.stringify(addresses));
}

/** @param {import('node:http').Server} server */
function addressesOf(server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const origin = `http://127.0.0.1:${port}`;
  return { url: `${origin}/mcp`, sse: `${origin}/sse` };
}

/** @param {import('node:http').IncomingMessage} request */
export async function bodyOf(request) {
  const chunks = await request.toArray();
  return chunks.length === 0 ? undefined : JSON.parse(Buffer.concat(chunks).toString());
}
