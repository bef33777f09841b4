import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { StdioTransport } from '@tmcp/transport-stdio';
import { McpServer } from 'tmcp';
import { z } from 'zod';

const server = new McpServer(
  { name: 'start', version: '1.0.0', description: 'Plans' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
);
const schema = z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) });
server.tool({ name: 'plan', description: 'Plans a stay', schema }, ({ city, days }) => ({
  content: [{ type: 'text', text: `${days} days in ${city}` }],
}));
new StdioTransport(server).listen();
