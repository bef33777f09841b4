// The page in which views run. Serve it on an origin with nothing else.
import { createServer } from 'node:http';
import { sandboxPage } from '@tenon/mcp-apps/host';

const hosts = (process.env.HOSTS ?? 'http://localhost:3000').split(' ');
const server = createServer(({ url }, response) => {
  const { html, headers } = sandboxPage({ hosts }, url);
  response.writeHead(200, headers).end(html);
});
server.listen(Number(process.env.PORT ?? 4000), () => console.log('listening'));
