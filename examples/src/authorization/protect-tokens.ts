// Introspection, tokens of your own, tokens bound to a key, and a log of rejected requests.
import { createHash } from 'node:crypto';
import {
  dpopCheck,
  introspectionVerifier,
  jwtVerifier,
  protect,
  type ResourceGuardOptions,
  type Verify,
} from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';

const { RESOURCE = 'https://mcp.example.com/mcp', ISSUER = 'https://login.example.com' } = process.env;
const { CLIENT_SECRET = 'a secret' } = process.env;

const server = createServer({ name: 'who', version: '1.0.0' }).tool(
  'who',
  {},
  (_, { auth }) => `${auth?.id}`,
);
const mcp = () => toFetchHandler(server, { allowedHosts: [new URL(RESOURCE).hostname] });
const settings = { resource: RESOURCE, authorizationServers: [ISSUER] };

// #region introspection
// Opaque tokens: the authorization server is asked what each is for.
const verify = introspectionVerifier({
  endpoint: `${ISSUER}/introspect`,
  client: { clientId: 'notes-server', clientSecret: CLIENT_SECRET },
});
export const introspected = protect(mcp(), { ...settings, verify });
// #endregion

/** In a real program a table of the database, by the SHA-256 of each token. */
const table = new Map([
  [sha256('ticket-of-ada'), { user: 'ada', resource: RESOURCE, scopes: ['notes:read'] }],
  [sha256('ticket-for-elsewhere'), { user: 'ada', resource: 'https://elsewhere.example/mcp', scopes: [] }],
]);

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

// #region own
// Tokens of your own. Check for which server a token is: another server may have seen it.
const verifyTicket: Verify = (token, _request, { resource }) => {
  const ticket = table.get(sha256(token));
  if (ticket === undefined) return undefined;
  if (ticket.resource !== resource) return { rejected: 'The token is for another server.' };
  return { id: ticket.user, scopes: ticket.scopes };
};
export const ticketed = protect(mcp(), { ...settings, verify: verifyTicket });
// #endregion

// #region dpop
// Tokens bound to a key: the client proves with each request that it has the key.
export const bound = protect(mcp(), {
  ...settings,
  verify: jwtVerifier(),
  dpop: dpopCheck(),
  dpopRequired: true,
});
// #endregion

// #region audit
const onRefused: ResourceGuardOptions['onRefused'] = ({ status, reason, request, principal }) =>
  console.warn(status, request?.path, principal?.id ?? 'unknown', reason);
export const audited = protect(mcp(), { ...settings, verify: jwtVerifier(), onRefused });
// #endregion
