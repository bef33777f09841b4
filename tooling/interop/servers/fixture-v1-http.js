// The fixture on the first generation of the official SDK, over streamable HTTP, with `--json` without streams of calls,
// and over HTTP+SSE.
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listenOnLoopback } from './listening.js';
import { makeServer } from './server-v1.js';
import { hostSessions } from './session-host.js';

const enableJsonResponse = process.argv.includes('--json');
/** @type {Map<string, SSEServerTransport>} */
const streams = new Map();

listenOnLoopback({
  '/mcp': hostSessions(async (options) => {
    const transport = new StreamableHTTPServerTransport({ ...options, enableJsonResponse });
    await makeServer({ callsStream: !enableJsonResponse }).connect(transport);
    return transport;
  }),
  async '/sse'(request, response) {
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end();
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    response.on('close', () => streams.delete(transport.sessionId));
    return makeServer().connect(transport);
  },
  async '/messages'(request, response, body) {
    const { searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const transport = streams.get(searchParams.get('sessionId') ?? '');
    if (transport === undefined) return response.writeHead(404).end();
    return transport.handlePostMessage(request, response, body);
  },
});
