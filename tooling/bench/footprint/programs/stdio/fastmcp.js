import { FastMCP } from 'fastmcp';
import { z } from 'zod';

const server = new FastMCP({ name: 'start', version: '1.0.0' });
server.addTool({
  name: 'plan',
  description: 'Plans a stay',
  parameters: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }),
  execute: async ({ city, days }) => `${days} days in ${city}`,
});
await server.start({ transportType: 'stdio' });
