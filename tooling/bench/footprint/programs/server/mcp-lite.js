import { McpServer, StreamableHttpTransport } from 'mcp-lite';
import * as z from 'zod';

const server = new McpServer({
  name: 'small',
  version: '1.0.0',
  schemaAdapter: (schema) => z.toJSONSchema(/** @type {z.ZodType} */ (schema)),
}).tool('plan', {
  description: 'Plans a stay',
  inputSchema: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7) }),
  handler: ({ city, days }) => ({ content: [{ type: 'text', text: `${days} days in ${city}` }] }),
});
export const handle = new StreamableHttpTransport().bind(server);
