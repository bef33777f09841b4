// mcp-lite: one server, without adapters if there are no sessions, else with its memory adapters, behind Hono's Node adapter
// as in its guide. It answers with events if the client accepts them.
import {
  InMemoryClientRequestAdapter,
  InMemorySessionAdapter,
  McpServer,
  StreamableHttpTransport,
} from 'mcp-lite';
import { z } from 'zod';
import { serverInfo } from '../matrix/tools.js';
import { nodeHandlerOf } from './base/fetch-handler.js';
import { listenOnLoopback } from './base/listening.js';
import { countTo, offeredZodTools, said } from './base/offered-tools.js';

/** @param {import('./base/offered-tools.js').Served} served */
export async function serveHttp({ lifecycle, catalogue }) {
  const server = new McpServer({
    ...serverInfo,
    schemaAdapter: (schema) => z.toJSONSchema(/** @type {any} */ (schema)),
  });
  for (const { name, description, schema, run } of await offeredZodTools(catalogue)) {
    server.tool(name, {
      description,
      inputSchema: schema,
      handler: run === undefined ? counting : (/** @type {any} */ input) => said(run(input)),
    });
  }
  /** @type {string[]} */
  const allowedHosts = [];
  const transport = new StreamableHttpTransport({
    allowedHosts,
    ...(lifecycle === 'session' && {
      // It stores the streamed events of a session: at least one event, and more events make it slower.
      sessionAdapter: new InMemorySessionAdapter({ maxEventBufferSize: 1 }),
      clientRequestAdapter: new InMemoryClientRequestAdapter(),
    }),
  });
  const url = await listenOnLoopback(nodeHandlerOf(transport.bind(server)));
  allowedHosts.push(new URL(url).host);
  return url;
}

/**
 * @param {any} input
 * @param {any} ctx
 */
async function counting({ to }, ctx) {
  return said(await countTo(to, (step) => ctx.progress(step)));
}
