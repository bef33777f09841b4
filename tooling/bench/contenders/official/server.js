import { randomUUID } from 'node:crypto';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serveStdioFrom } from '@modelcontextprotocol/server/stdio';
import { serverInfo } from '../../matrix/tools.js';
import { listenOnLoopback } from '../base/listening.js';
import { countTo, mayAnswerWholly, offeredZodTools, said } from '../base/offered-tools.js';
import { callInMemory } from '../base/raw-caller.js';
import { hostEachRequest, hostSessions } from './hosting.js';

/** @typedef {import('../base/offered-tools.js').Served} Served */
/** @typedef {import('../base/offered-tools.js').OfferedTool} OfferedTool */

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
 * @param {any} ctx
 */
async function counting({ to }, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  const text = await countTo(to, (step) =>
    mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } }),
  );
  return said(text);
}

/** @param {Served} served */
export function serveHttp(served) {
  return served.lifecycle === 'session'
    ? listenWith(served, sessionsOf)
    : listenWith(
        served,
        (tools) => /** @type {any} */ (toNodeHandler(createMcpHandler(() => serverWith(tools)))),
      );
}

/**
 * Serves without sessions: a transport and a server for each request.
 *
 * @param {Served} served
 */
export function serveHttpByTransports(served) {
  return listenWith(served, transportsOf);
}

/**
 * @param {Served} served
 * @param {(tools: readonly OfferedTool[], served: Served) => import('../base/listening.js').Handler} handlerOf
 */
async function listenWith(served, handlerOf) {
  const handle = handlerOf(await offeredZodTools(served.catalogue), served);
  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  return listenOnLoopback((request, response) => {
    if (isHostAllowed(request, response) && isOriginAllowed(request, response))
      void handle(request, response);
  });
}

/**
 * @param {readonly OfferedTool[]} tools
 * @param {Served} served
 */
function sessionsOf(tools, served) {
  const enableJsonResponse = mayAnswerWholly(served);
  return hostSessions(async (onsessioninitialized) => {
    const sessionIdGenerator = () => randomUUID();
    const options = { sessionIdGenerator, enableJsonResponse, onsessioninitialized };
    const transport = new NodeStreamableHTTPServerTransport(options);
    await serverWith(tools).connect(transport);
    return transport;
  });
}

/**
 * @param {readonly OfferedTool[]} tools
 * @param {Served} served
 */
function transportsOf(tools, served) {
  const enableJsonResponse = mayAnswerWholly(served);
  return hostEachRequest(async () => {
    const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse });
    const server = serverWith(tools);
    await server.connect(transport);
    return { transport, server };
  });
}

/** @param {Served} served */
export async function serveStdio({ catalogue }) {
  const tools = await offeredZodTools(catalogue);
  serveStdioFrom(() => serverWith(tools));
}

/** @param {import('../../matrix/wires.js').Lifecycle} lifecycle */
export async function memoryCaller(lifecycle) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const tools = await offeredZodTools('few');
  serveStdioFrom(() => serverWith(tools), { transport: far });
  return callInMemory(lifecycle, {
    listen(onMessage) {
      near.onmessage = onMessage;
      return near.start();
    },
    send: (message) => void near.send(message),
    close: () => near.close(),
  });
}
