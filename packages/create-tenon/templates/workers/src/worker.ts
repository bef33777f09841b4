import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { server } from './server.ts';

// Workers routes by host name, so there is no other host to reject. Without sessions each request can run anywhere.
const mcp = toFetchHandler(server, { allowedHosts: 'any', sessions: false });

export default {
  fetch(request: Request): Response | Promise<Response> {
    return new URL(request.url).pathname === '/mcp'
      ? mcp(request)
      : new Response('Not found\n', { status: 404 });
  },
};
