// A Hono application with an MCP endpoint, on Node.
import { serve } from '@hono/node-server';
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { Hono } from 'hono';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);
const mcp = toFetchHandler(server);

const app = new Hono();
app.get('/', (c) => c.text('Welcome'));
app.all('/mcp', (c) => mcp(c.req.raw));

const { PORT = '3000' } = process.env;
export const listening = serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' });

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain(); // ends open streams, which keep the port open
}
process.once('SIGTERM', () => void stop());
