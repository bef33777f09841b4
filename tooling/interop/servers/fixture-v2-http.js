// The fixture on the second generation of the official SDK, over streamable HTTP: the stateless revision, and sessions for
// the others, or with `--sessionless` what the SDK does for them by default.
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { listenOnLoopback } from './listening.js';
import { makeServer, makeWorld } from './server-v2.js';
import { hostSessions } from './session-host.js';

const sessionless = process.argv.includes('--sessionless');
const world = makeWorld();
const handler = createMcpHandler(() => makeServer(world, handler.notify), {
  legacy: sessionless ? 'stateless' : 'reject',
  onerror: (error) => console.error(error.message),
});
const stateless = toNodeHandler(handler);
const sessions = hostSessions(async (options) => {
  const transport = new NodeStreamableHTTPServerTransport(options);
  await makeServer(makeWorld()).connect(transport);
  return transport;
});

listenOnLoopback({
  async '/mcp'(request, response, body) {
    const isLegacy = !sessionless && (await isLegacyRequest(await toWebRequest(request, body), body));
    await (isLegacy ? sessions : stateless)(request, response, body);
  },
});
