import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

const inputSchema = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'small', version: '1.0.0' });
  server.registerTool('plan', { description: 'Plans a stay', inputSchema }, ({ city, days }) => ({
    content: [{ type: 'text', text: `${days} days in ${city}` }],
  }));
  return server;
});
export const handle = (/** @type {Request} */ request) => handler.fetch(request);
