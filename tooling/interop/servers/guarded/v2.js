// A protected server on the second generation of the official SDK, with tokens of a test authorization server. It
// introspects each token.
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  isLegacyRequest,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  requireBearerAuth,
  requireScopes,
} from '@modelcontextprotocol/server';
import { bodyOf, listenThen } from '../hosting/listening.js';
import { hostSessions } from '../hosting/session-host.js';
import { askedOf, scopes, startAuthority } from './authority.js';
import { defineGuarded, scopesOfTools } from './tools.js';

const self = { clientId: 'guarded-v2', clientSecret: crypto.randomUUID() };
const authority = await startAuthority({ accessTokens: 'opaque', clients: [self] });
/** @type {Set<string>} valid tokens that the server rejects */
const blacklist = new Set();

await listenThen(async (url) => {
  const metadata = await fetch(`${authority.issuer}/.well-known/oauth-authorization-server`);
  const oauthMetadata = /** @type {any} */ (await metadata.json());
  const gate = requireBearerAuth({
    verifier: { verifyAccessToken },
    requiredScopes: [scopes.read],
    resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url),
    expectedResource: url,
  });
  const handler = createMcpHandler(() => makeServer(() => handler.notify.toolsChanged()), {
    legacy: 'reject',
    onerror: (error) => console.error(error.message),
  });
  const stateless = toNodeHandler(handler);
  const sessions = hostSessions(async (options) => {
    const transport = new NodeStreamableHTTPServerTransport(options);
    const server = makeServer(() => server.sendToolListChanged());
    await server.connect(transport);
    return transport;
  });
  return async (request, response) => {
    const body = await bodyOf(request);
    const asked = await toWebRequest(request, body);
    const document = oauthMetadataResponse(asked, { oauthMetadata, resourceServerUrl: url });
    const admitted = document ?? (await gate(asked));
    if (admitted instanceof Response) {
      response.writeHead(admitted.status, Object.fromEntries(admitted.headers));
      response.end(await admitted.text());
      return;
    }
    request.auth = admitted;
    await ((await isLegacyRequest(asked, body)) ? sessions : stateless)(request, response, body);
  };
});

/** @param {() => void} grow */
function makeServer(grow) {
  const server = new McpServer(
    { name: 'guarded-v2', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  defineGuarded(server, {
    caller({ http }) {
      const { clientId, scopes, extra } = http.authInfo;
      return { user: extra.user, client: clientId, scopes };
    },
    asked: () => askedOf(authority),
    refuse: ({ http }) => blacklist.add(http.authInfo.token),
    grow,
    scoped(name) {
      const more = scopesOfTools.get(name);
      return more === undefined ? {} : { scopeChallenge: requireScopes(scopes.read, more) };
    },
  });
  return server;
}

/** @param {string} token */
async function verifyAccessToken(token) {
  const answer = await fetch(`${authority.issuer}/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${self.clientId}:${self.clientSecret}`)}` },
    body: new URLSearchParams({ token }),
  });
  const claims = /** @type {any} */ (await answer.json());
  if (blacklist.has(token) || claims.active !== true)
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is not valid');
  const { client_id: clientId, scope = '', exp: expiresAt, aud, sub: user } = claims;
  return { token, clientId, scopes: scope.split(' '), expiresAt, resource: new URL(aud), extra: { user } };
}
