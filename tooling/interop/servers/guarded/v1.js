// A server on the first generation of the official SDK that is its own authorization server, with the SDK's router, over
// Streamable HTTP and HTTP+SSE. With `--older` as in 2025-03-26, without protected resource metadata.
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js';
import {
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { listenThen } from '../hosting/listening.js';
import { hostSessions } from '../hosting/session-host.js';
import { scopes } from './authority.js';
import { MemoryOAuthProvider } from './memory-oauth-provider.js';
import { defineGuarded, scopesOfTools } from './tools.js';

const older = process.argv.includes('--older');
const provider = new MemoryOAuthProvider();
/** @type {Map<string, SSEServerTransport>} */
const streams = new Map();
const sessions = hostSessions(async (options) => {
  const transport = new StreamableHTTPServerTransport(options);
  await makeServer().connect(transport);
  return transport;
});

/** @type {Record<'nothing' | 'mcp' | 'sse' | 'messages', (request: any, response: any) => unknown>} */
const handlers = {
  nothing: (_request, response) => void response.sendStatus(404),
  mcp: (request, response) => sessions(request, response, request.body),
  async sse(_request, response) {
    const transport = new SSEServerTransport('/messages', response);
    streams.set(transport.sessionId, transport);
    response.on('close', () => streams.delete(transport.sessionId));
    await makeServer().connect(transport);
  },
  async messages(request, response) {
    const transport = streams.get(String(request.query.sessionId));
    if (transport === undefined) response.sendStatus(404);
    else await transport.handlePostMessage(request, response, request.body);
  },
};

await listenThen(async ({ origin }) => {
  const issuerUrl = new URL(origin);
  /** @type {any} */
  const app = createMcpExpressApp();
  if (older) app.use('/.well-known/oauth-protected-resource', handlers.nothing);
  app.use(mcpAuthRouter({ provider, issuerUrl, scopesSupported: Object.values(scopes) }));
  app.use(guardFor(issuerUrl));
  app.all('/mcp', handlers.mcp);
  app.get('/sse', handlers.sse);
  app.post('/messages', handlers.messages);
  return app;
});

/**
 * Accepts messages from callers with the required scopes.
 *
 * @param {URL} issuerUrl
 * @returns {(request: any, response: any, next: () => void) => unknown}
 */
function guardFor(issuerUrl) {
  const known = older ? {} : { resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(issuerUrl) };
  return (request, response, next) => {
    const more = scopesOfTools.get(request.body?.params?.name);
    const requiredScopes = more === undefined ? [scopes.read] : [scopes.read, more];
    return requireBearerAuth({ verifier: provider, requiredScopes, ...known })(request, response, next);
  };
}

function makeServer() {
  const server = new McpServer(
    { name: 'guarded-v1', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  defineGuarded(server, {
    caller({ authInfo }) {
      const { clientId, scopes, extra } = authInfo;
      return { user: extra.user, client: clientId, scopes };
    },
    asked: () => provider.asked,
    refuse: (extra) => provider.refuse(extra.authInfo.token),
    grow: () => server.sendToolListChanged(),
  });
  return server;
}
