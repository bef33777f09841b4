// An Express application with an MCP endpoint, before and after express.json().
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import express from 'express';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }, ctx) => `Hello, ${name}, from ${ctx.auth?.id ?? 'somebody'}!`,
);
const mcp = toNodeHandler(server);

const app = express();

// Before a body parser: the handler reads the body itself.
app.all('/mcp', (request, response) => mcp(request, response));

// After a body parser: the handler uses request.body.
app.use(express.json({ limit: '4mb' }));
app.all('/parsed/mcp', (request, response) => mcp(request, response));

// Behind your own sign-in: pass the caller on.
app.all('/private/mcp', (request, response) => {
  if (request.headers.authorization !== 'Bearer key-of-ada') {
    response.status(401).set('WWW-Authenticate', 'Bearer').end();
    return;
  }
  mcp.serve(request, response, { principal: { id: 'ada' } });
});

export const listening = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  listening.close();
  await mcp.drain(); // ends open streams, which keep the port open
  listening.closeAllConnections();
}
process.once('SIGTERM', () => void stop());
