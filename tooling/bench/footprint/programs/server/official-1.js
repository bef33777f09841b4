import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import * as z from 'zod';

const inputSchema = { city: z.string().min(1), days: z.number().int().min(1).max(7) };

/** @param {Request} request */
export async function handle(request) {
  const server = new McpServer({ name: 'small', version: '1.0.0' });
  server.registerTool('plan', { description: 'Plans a stay', inputSchema }, ({ city, days }) => ({
    content: [{ type: 'text', text: `${days} days in ${city}` }],
  }));
  const transport = new WebStandardStreamableHTTPServerTransport();
  await server.connect(transport);
  return transport.handleRequest(request);
}
