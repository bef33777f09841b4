// FastMCP: `start` over HTTP, in its stateless mode or with sessions, and over stdio. JSON answers unless something is
// streamed, no event store, and a logger that prints only errors.
import { createServer } from 'node:net';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { FastMCP } from 'fastmcp';
import { serverInfo } from '../matrix/tools.js';
import { countTo, mayAnswerWholly, offeredZodTools } from './base/offered-tools.js';
import { callInMemory } from './base/raw-caller.js';

const quiet = () => {};
const logger = { debug: quiet, info: quiet, log: quiet, warn: console.error, error: console.error };

/** @param {'few' | 'many'} catalogue */
async function serverOf(catalogue) {
  const { name, version } = serverInfo;
  const server = new FastMCP({ name, version: /** @type {'1.0.0'} */ (version), logger });
  for (const tool of await offeredZodTools(catalogue)) {
    const { run } = tool;
    server.addTool({
      name: tool.name,
      description: tool.description,
      parameters: tool.schema,
      execute: async (/** @type {any} */ input, { reportProgress }) =>
        run === undefined ? countTo(input.to, reportProgress) : run(input),
    });
  }
  return server;
}

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveHttp(served) {
  const server = await serverOf(served.catalogue);
  const port = await freePort();
  await server.start({
    transportType: 'httpStream',
    httpStream: {
      port,
      host: '127.0.0.1',
      stateless: served.lifecycle === 'sessionless',
      enableJsonResponse: mayAnswerWholly(served),
      // Passed on to mcp-proxy, which stores events by default.
      eventStore: /** @type {any} */ (false),
    },
  });
  return `http://127.0.0.1:${port}/mcp`;
}

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveStdio({ catalogue }) {
  await (await serverOf(catalogue)).start({ transportType: 'stdio' });
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export async function memoryCaller(lifecycle) {
  const server = await serverOf('few');
  const [near, far] = InMemoryTransport.createLinkedPair();
  return callInMemory(lifecycle, {
    listen(onMessage) {
      near.onmessage = onMessage;
      void server.connect(far);
      return near.start();
    },
    send: (message) => void near.send(message),
    close: () => near.close(),
  });
}

/** Returns a free port: FastMCP does not report the port it was assigned. */
async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
