// mcp-lite: one server, without adapters where there is no session and with its adapters in memory where there is, behind
// the Node adapter of Hono, with which its own guide begins. It answers with events whoever accepts them.
import {
  InMemoryClientRequestAdapter,
  InMemorySessionAdapter,
  McpServer,
  StreamableHttpTransport,
} from 'mcp-lite';
import { z } from 'zod';
import { serverInfo } from '../matrix/tools.js';
import { nodeHandlerOf } from './fetch-faces.js';
import { listenOnLoopback } from './listening.js';
import { countTo, offeredZodTools, said } from './offered-tools.js';

/** @param {import('./offered-tools.js').Served} served */
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
      // It keeps what it streams for a session; no fewer than one event, and the more the slower.
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
