// The endpoint beside other routes, in a server made with node:http.
import { createServer as createHttpServer } from 'node:http';
import { createServer } from '@tenon/mcp-server';
import { toNodeHandler } from '@tenon/mcp-server/http';
import { z } from 'zod';

const server = createServer({ name: 'greeter', version: '1.0.0' }).tool(
  'greet',
  { description: 'Says hello', input: z.object({ name: z.string() }) },
  ({ name }) => `Hello, ${name}!`,
);

const mcp = toNodeHandler(server);
export const app = createHttpServer((request, response) => {
  if (request.url === '/mcp') mcp(request, response);
  else response.end('Welcome');
});
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  app.close();
  await mcp.drain(); // ends open streams, which would keep the server open
  app.closeAllConnections();
}
process.once('SIGTERM', () => void stop());
