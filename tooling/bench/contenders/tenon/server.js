import { otherBounds } from '@tenon/foundation';
import { createServer } from '@tenon/mcp-server';
import { manyTools, serverInfo } from '../../matrix/tools.js';
import { countTo } from '../base/offered-tools.js';
import { callInMemory } from '../base/raw-caller.js';

/** @typedef {import('../base/offered-tools.js').OfferedTool} OfferedTool */

/** Limits above the load of the bench; none is disabled. */
const limits = { pageSize: manyTools, ...otherBounds({ progressPerSecond: 1e9 }) };
const rates = { calls: { perSecond: 1e9 } };
const httpLimits = { sessionsPerPrincipal: 10_000, ...otherBounds({ sessionUnused: 1_800_000 }) };
/** Of servers that share state: the rows of clusters open sessions and do not end them. */
const clusterLimits = { ...httpLimits, sessions: 1_000_000, sessionsPerPrincipal: 1_000_000 };

/**
 * @param {readonly OfferedTool[]} tools
 * @param {import('@tenon/mcp-server').ServerOptions} [options]
 */
async function define(tools, options) {
  const server = createServer(serverInfo, { limits, rates, ...options });
  for (const { name, description, schema, run } of tools) {
    /** @type {(input: { readonly to: number }, ctx: import('@tenon/mcp-server').Context) => string | Promise<string>} */
    const handler =
      run ?? (({ to }, ctx) => countTo(to, ({ progress, total }) => ctx.progress(progress, total)));
    server.tool(name, { description, input: schema }, handler);
  }
  await server.compileSchemas();
  return server;
}

/**
 * @param {readonly OfferedTool[]} tools
 * @param {import('../base/offered-tools.js').Served} served
 */
export async function serveHttpWith(tools, { lifecycle, state }) {
  const { serveHttp } = await import('@tenon/mcp-server/http');
  if (state !== undefined) {
    const server = await define(tools, { state: await stateOf(state) });
    return (await serveHttp(server, { limits: clusterLimits })).url;
  }
  const sessions = lifecycle === 'sessionless' ? false : undefined;
  const { url } = await serveHttp(await define(tools), { sessions, limits: httpLimits });
  return url;
}

/** @param {string} state `memory`, or the URL of a Redis */
async function stateOf(state) {
  if (state === 'memory') return (await import('@tenon/mcp-state')).memoryState();
  // All processes start at the same time, on a machine that may be busy.
  return (await import('@tenon/mcp-state-redis')).redisState({ url: state, timeout: 20_000 });
}

/** @param {readonly OfferedTool[]} tools */
export async function serveStdioWith(tools) {
  const { serveStdio } = await import('@tenon/mcp-server/stdio');
  await serveStdio(await define(tools));
}

/**
 * Sends frames to a server in this process.
 *
 * @param {readonly OfferedTool[]} tools
 * @param {import('../../matrix/wires.js').Lifecycle} lifecycle
 */
export async function memoryCallerOf(tools, lifecycle) {
  const { serveMemory } = await import('@tenon/mcp-server/memory');
  const connection = serveMemory(await define(tools));
  return callInMemory(lifecycle, {
    listen: (onMessage) =>
      connection.start({
        receive: (value) => void onMessage(value),
        malformed: (problem) => void onMessage({ error: problem }),
        closed: () => {},
      }),
    send: (message) => void connection.send(JSON.stringify(message)),
    close: () => connection.close(),
  });
}
