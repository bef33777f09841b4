import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import * as z from 'zod';

const server = new McpServer(
  { name: 'small', version: '1.0.0', description: 'Plans' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
const schema = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
server.tool({ name: 'plan', description: 'Plans a stay', schema }, ({ city, days }) => ({
  content: [{ type: 'text', text: `${days} days in ${city}` }],
}));
const transport = new HttpTransport(server, { path: '/mcp' });
export const handle = (/** @type {Request} */ request) => transport.respond(request);
