import { EdgeFastMCP } from 'fastmcp/edge';
import * as z from 'zod';

const server = new EdgeFastMCP({ name: 'small', version: '1.0.0' });
server.addTool({
  name: 'plan',
  description: 'Plans a stay',
  parameters: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }),
  execute: async ({ city, days }) => `${days} days in ${city}`,
});
export const handle = (/** @type {Request} */ request) => server.fetch(request);
