import { plan, serverInfo, tool } from './call.js';

/**
 * Our server, with the arguments checked by plain JSON Schema or by zod.
 *
 * @param {'json' | 'zod'} schema
 */
export async function tenonServer(schema) {
  const { createServer } = await import('@tenon/mcp-server');
  const { description, inputSchema } = tool;
  const input = schema === 'json' ? inputSchema : await zodSchema();
  const server = createServer(serverInfo);
  server.tool(tool.name, { description, input: /** @type {any} */ (input) }, (/** @type {any} */ given) =>
    plan(given),
  );
  await server.ready();
  return server;
}

/** The official SDK's server; it takes zod. */
export async function officialServer() {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const server = new McpServer(serverInfo);
  const { description } = tool;
  const inputSchema = await zodSchema();
  server.registerTool(tool.name, { description, inputSchema }, (given) => ({
    content: [{ type: 'text', text: plan(given) }],
  }));
  return server;
}

async function zodSchema() {
  const { z } = await import('zod');
  return z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }).strict();
}
