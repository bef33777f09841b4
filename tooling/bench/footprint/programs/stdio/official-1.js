import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'start', version: '1.0.0' });
const inputSchema = { city: z.string().min(1), days: z.number().int().min(1).max(7) };
server.registerTool('plan', { description: 'Plans a stay', inputSchema }, ({ city, days }) => ({
  content: [{ type: 'text', text: `${days} days in ${city}` }],
}));
await server.connect(new StdioServerTransport());
