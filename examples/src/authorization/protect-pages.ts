// A tool that gets a secret from its user through a page. Only that user can open the page.
// #region pages
import { jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { createServer, ToolError } from '@tenon/mcp-server';
import { toFetchHandler } from '@tenon/mcp-server/fetch';
import { Hono } from 'hono';
import { ClientSecretBasic } from 'oauth4webapi';
// Copy the folder `pages`.
import { elicitationPages } from './pages/elicitation-pages.js';
import { signInAt } from './pages/sign-in-visitors.js';

const { ORIGIN = 'https://mcp.example.com', ISSUER = 'https://login.example.com' } = process.env;
const { CLIENT_SECRET = 'a secret' } = process.env;
const resource = `${ORIGIN}/mcp`;
const verify = jwtVerifier();
const keys = new Map<string | undefined, string>();
const question =
  '<form method="post"><label>Your key <input name="key"></label><button>Keep it</button></form>';

const pages = elicitationPages({
  url: `${ORIGIN}/connect`,
  // Visitors sign in. Register the client with the redirect URI ${ORIGIN}/connect/signed-in.
  visitors: signInAt({
    issuer: ISSUER,
    resource,
    verify,
    clientId: 'key-pages',
    clientAuth: ClientSecretBasic(CLIENT_SECRET),
  }),
  visit: async ({ step, principal, form, finish }) => {
    if (step === 'opened') return new Response(question, { headers: { 'content-type': 'text/html' } });
    const key = (await form()).get('key');
    if (key !== null && (await finish())) keys.set(principal.id, key);
    return new Response('Done. You may close this page.');
  },
});

const server = createServer({ name: 'forecasts', version: '1.0.0' }).tool('forecast', {}, async (_, ctx) => {
  if (!keys.has(ctx.auth?.id)) {
    const url = await ctx.once('page', () => pages.open(ctx));
    await ctx.elicitUrl('key', { message: 'The forecasts need your API key.', url });
  }
  const key = keys.get(ctx.auth?.id);
  if (key === undefined) throw new ToolError('There is no key yet: call again when the page is done.');
  return `Sunny, says the owner of a key of ${key.length} characters`;
});

const mcp = protect(toFetchHandler(server, { allowedHosts: [new URL(ORIGIN).hostname] }), {
  resource,
  authorizationServers: [ISSUER],
  verify,
});

export const app = new Hono();
app.all('/connect/*', (c) => pages.handler(c.req.raw));
app.all('/mcp', (c) => mcp(c.req.raw));
app.get('/.well-known/*', (c) => mcp(c.req.raw));
// #endregion
