// A Fastify application with an MCP endpoint.
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import fastify from 'fastify';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);
const mcp = toNodeHandler(server);

export const app = fastify({ bodyLimit: 4 * 1024 * 1024 });
app.get('/', () => 'Welcome');
app.all('/mcp', (request, reply) => {
  reply.hijack(); // Fastify leaves the response to the handler
  mcp.serve(request.raw, reply.raw, { body: request.body });
});
app.addHook('preClose', () => mcp.drain()); // ends open streams, which would delay app.close()

await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' });
process.once('SIGTERM', () => void app.close());
