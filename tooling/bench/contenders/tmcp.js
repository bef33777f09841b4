// tmcp: one server with its HTTP transport and sessions in memory or in Redis, behind Hono's Node adapter; it always answers with
// events.
// Its stdio and in-memory transports with default options.
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { InMemoryTransport } from '@tmcp/transport-in-memory';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { serverInfo } from '../matrix/tools.js';
import { clientInfo, wires, workloads } from '../matrix/wires.js';
import { nodeHandlerOf } from './base/fetch-handler.js';
import { listenOnLoopback } from './base/listening.js';
import { countTo, offeredZodTools, said } from './base/offered-tools.js';

/** @param {'few' | 'many'} catalogue */
async function serverOf(catalogue) {
  const options = { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } };
  const server = new McpServer(serverInfo, options);
  for (const { name, description, schema, run } of await offeredZodTools(catalogue)) {
    const counting = async (/** @type {any} */ { to }) =>
      said(await countTo(to, ({ progress, total }) => server.progress(progress, total)));
    const running = run && ((/** @type {any} */ input) => said(run(input)));
    server.tool({ name, description, schema }, running ?? counting);
  }
  return server;
}

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveHttp({ catalogue, state }) {
  const managers = state === undefined ? {} : await redisManagers(state);
  const options = { path: '/mcp', allowedOrigins: [], ...managers };
  const transport = new HttpTransport(await serverOf(catalogue), options);
  const absent = () => new Response(null, { status: 404 });
  return listenOnLoopback(nodeHandlerOf(async (request) => (await transport.respond(request)) ?? absent()));
}

/**
 * Returns the managers that share sessions and subscriptions with other processes.
 *
 * @param {string} url of Redis
 */
async function redisManagers(url) {
  const { RedisInfoSessionManager, RedisStreamSessionManager, RedisSubscriptionManager } = await import(
    '@tmcp/session-manager-redis'
  );
  return {
    sessionManager: {
      streams: new RedisStreamSessionManager(url),
      info: new RedisInfoSessionManager(url),
    },
    subscriptionManager: new RedisSubscriptionManager(url),
  };
}

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveStdio({ catalogue }) {
  new StdioTransport(await serverOf(catalogue)).listen();
}

/**
 * @param {import('../matrix/wires.js').Lifecycle} lifecycle
 * @returns {Promise<import('./base/raw-caller.js').Caller>}
 */
export async function memoryCaller(lifecycle) {
  const transport = new InMemoryTransport(await serverOf('few'));
  const { name, arguments: given } = /** @type {any} */ (workloads.call.params(0));
  const close = async () => transport.close();
  if (lifecycle === 'stateless') {
    const client = transport.stateless({ clientInfo });
    return { call: () => client.callTool(name, given), close };
  }
  const session = transport.session();
  await session.initialize(wires.session.revision, {}, clientInfo);
  return { call: () => session.callTool(name, given), close };
}
