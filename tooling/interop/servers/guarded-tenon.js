// Tenon's server, protected, with tokens of a test authorization server. With `--sse` over HTTP+SSE as well.
import { dpopCheck, jwtVerifier, protect } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { askedOf, scopes, startAuthority } from './authority.js';

const authority = await startAuthority();
/** @type {Set<string>} tokens that are refused although they are good */
const blacklist = new Set();
/** The handlers of our server see no token, so the last one that came in is remembered for them. */
let latest = '';
const check = jwtVerifier();

const server = createServer({ name: 'guarded-tenon', version: '1.0.0' })
  .tool('whoami', { description: 'Who calls' }, (_, { auth }) =>
    JSON.stringify({
      user: auth?.id,
      client: auth?.clientId,
      scopes: auth?.scopes,
      isBound: auth?.claims?.cnf !== undefined,
    }),
  )
  .tool('write', { description: 'Takes more', scopes: [scopes.write] }, () => 'written')
  .tool('rule', { description: 'Takes what nobody is granted', scopes: [scopes.rule] }, () => 'ruled')
  .tool('asked', { description: 'What tokens were asked for' }, () => JSON.stringify(askedOf(authority)))
  .tool('blacklist', { description: 'Refuses the token of this call from now on' }, () => {
    blacklist.add(latest);
    return 'done';
  })
  .tool('grow', { description: 'Changes the list of tools' }, () => {
    server.tool('grown', { description: 'A tool more' }, () => 'grown');
    return 'done';
  });

const mount = process.argv.includes('--sse') ? sseMount(server) : undefined;
const { url } = await serveHttp(server, {
  port: 0,
  path: '/mcp',
  mounts: mount === undefined ? [] : [mount],
});
protect(server, {
  // Tokens are for all that is there where there is more than one endpoint.
  resource: mount === undefined ? url : new URL(url).origin,
  authorizationServers: [authority.issuer],
  scopes: [scopes.read],
  dpop: dpopCheck(),
  verify(token, request, realm) {
    latest = token;
    return blacklist.has(token) ? { rejected: 'It is on the blacklist.' } : check(token, request, realm);
  },
});
console.log(JSON.stringify({ url, sse: new URL(mount?.paths[0] ?? '', url).href }));
