import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const inputSchema = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
serveStdio(() => {
  const server = new McpServer({ name: 'start', version: '1.0.0' });
  server.registerTool('plan', { description: 'Plans a stay', inputSchema }, ({ city, days }) => ({
    content: [{ type: 'text', text: `${days} days in ${city}` }],
  }));
  return server;
});
