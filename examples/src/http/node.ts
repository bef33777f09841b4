// The endpoint in a node:http server.
// #region app
import { createServer } from 'node:http';
import { toNodeHandler } from '@tenon/mcp-server/http';
import { server } from './notes.js';

const mcp = toNodeHandler(server);

export const app = createServer((request, response) => {
  if (request.url === '/mcp') mcp(request, response);
  else response.writeHead(404).end();
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  app.close();
  await mcp.drain(); // ends open streams, which would keep the server open
  app.closeAllConnections();
}
// #endregion
