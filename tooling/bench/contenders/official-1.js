// The official SDK 1.x as in its examples, on plain `node:http`. Without sessions a server and a transport for each request;
// with sessions one of each per session. JSON answers unless something is streamed; no event store.
import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { serverInfo } from '../matrix/tools.js';
import { clientInfo, workloads } from '../matrix/wires.js';
import { listenOnLoopback } from './base/listening.js';
import { countTo, mayAnswerWholly, offeredZodTools, said } from './base/offered-tools.js';
import { callInMemory } from './base/raw-caller.js';
import { hostEachRequest, hostSessions } from './official/hosting.js';

/** @typedef {import('./base/offered-tools.js').Served} Served */
/** @typedef {import('./base/offered-tools.js').OfferedTool} OfferedTool */

/** @param {readonly OfferedTool[]} tools */
function serverWith(tools) {
  const server = new McpServer(serverInfo);
  for (const { name, description, schema, run } of tools) {
    const options = { description, inputSchema: schema };
    if (run !== undefined) server.registerTool(name, options, (/** @type {any} */ input) => said(run(input)));
    else server.registerTool(name, options, counting);
  }
  return server;
}

/**
 * @param {any} input
 * @param {any} extra
 */
async function counting({ to }, { _meta, sendNotification }) {
  const progressToken = _meta?.progressToken;
  const text = await countTo(to, (step) =>
    sendNotification({ method: 'notifications/progress', params: { progressToken, ...step } }),
  );
  return said(text);
}

/** @param {Served} served */
export async function serveHttp(served) {
  const tools = await offeredZodTools(served.catalogue);
  const enableJsonResponse = mayAnswerWholly(served);
  const inSession = async (/** @type {(id: string) => void} */ onsessioninitialized) => {
    const sessionIdGenerator = () => randomUUID();
    const options = { sessionIdGenerator, enableJsonResponse, onsessioninitialized };
    const transport = new StreamableHTTPServerTransport(options);
    await serverWith(tools).connect(transport);
    return transport;
  };
  const forRequest = async () => {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse });
    const server = serverWith(tools);
    await server.connect(transport);
    return { transport, server };
  };
  return listenOnLoopback(
    served.lifecycle === 'session' ? hostSessions(inSession) : hostEachRequest(forRequest),
  );
}

/** @param {Served} served */
export async function serveStdio({ catalogue }) {
  await serverWith(await offeredZodTools(catalogue)).connect(new StdioServerTransport());
}

/** @param {import('../matrix/wires.js').Lifecycle} lifecycle */
export async function memoryCaller(lifecycle) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serverWith(await offeredZodTools('few')).connect(far);
  return callInMemory(lifecycle, {
    listen(onMessage) {
      near.onmessage = onMessage;
      return near.start();
    },
    send: (message) => void near.send(message),
    close: () => near.close(),
  });
}

/**
 * @param {string} _lifecycle unused: the SDK has one
 * @param {string} url
 */
export function httpClient(_lifecycle, url) {
  return clientOver(new StreamableHTTPClientTransport(new URL(url)));
}

/**
 * @param {string} _lifecycle unused: the SDK has one
 * @param {{ command: string, args: string[] }} child
 */
export function stdioClient(_lifecycle, child) {
  return clientOver(new StdioClientTransport(child));
}

/**
 * @param {import('@modelcontextprotocol/sdk/shared/transport.js').Transport} transport
 * @returns {Promise<import('./base/raw-caller.js').Caller>}
 */
async function clientOver(transport) {
  const client = new Client(clientInfo);
  await client.connect(transport);
  const params = /** @type {any} */ (workloads.call.params(0));
  return { call: () => client.callTool(params), close: () => client.close() };
}
