import { createServer } from '@tenon/mcp-server';
import { manyTools, serverInfo } from '../matrix/tools.js';
import { countTo } from './offered-tools.js';
import { callInMemory } from './raw-caller.js';

/** @typedef {import('./offered-tools.js').OfferedTool} OfferedTool */

/** Numbers above what the bench sends; nothing is switched off. */
const limits = { progressPerSecond: 1e9, pageSize: manyTools };
const rates = { calls: { perSecond: 1e9 } };
const httpLimits = { sessionsPerPrincipal: 10_000, sessionUnused: 1_800_000 };

/** @param {readonly OfferedTool[]} tools */
async function define(tools) {
  const server = createServer(serverInfo, { limits, rates });
  for (const { name, description, schema, run } of tools) {
    /** @type {(input: any, ctx: any) => string | Promise<string>} */
    const handler =
      run ?? (({ to }, ctx) => countTo(to, ({ progress, total }) => ctx.progress(progress, total)));
    server.tool(name, { description, input: schema }, handler);
  }
  await server.ready();
  return server;
}

/**
 * @param {readonly OfferedTool[]} tools
 * @param {import('./offered-tools.js').Served} served
 */
export async function serveHttpWith(tools, { lifecycle }) {
  const { serveHttp } = await import('@tenon/mcp-server/http');
  const sessions = lifecycle === 'sessionless' ? false : undefined;
  const { url } = await serveHttp(await define(tools), { sessions, limits: httpLimits });
  return url;
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
 * @param {import('../matrix/wires.js').Lifecycle} lifecycle
 */
export async function memoryCallerOf(tools, lifecycle) {
  const { serveMemory } = await import('@tenon/mcp-server/memory');
  const connection = serveMemory(await define(tools));
  return callInMemory(lifecycle, {
    listen: (heard) =>
      connection.start({
        receive: (value) => void heard(value),
        malformed: (flaw) => void heard({ error: flaw }),
        closed: () => {},
      }),
    send: (message) => void connection.send(JSON.stringify(message)),
    close: () => connection.close(),
  });
}
