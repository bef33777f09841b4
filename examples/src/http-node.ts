// The endpoint in a server of your own, with nothing but node:http.
// #region app
import { createServer } from 'node:http';
import { toNodeHandler } from '@tenon/mcp-server/http';
import { server } from './http-notes.js';

const mcp = toNodeHandler(server);

export const app = createServer((request, response) => {
  if (request.url === '/mcp') mcp(request, response);
  else response.writeHead(404).end();
});

app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');

export async function stop(): Promise<void> {
  app.close();
  await mcp.drain(); // streams end in good order; without this they would hold the server open
  app.closeAllConnections();
}
// #endregion
