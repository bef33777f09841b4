// A protected server on Tenon, with tokens of a test authorization server. With `--sse`, also over HTTP+SSE. Several processes
// share a Redis (`--redis`), the page of one authorization server (`--authority`) and the port of a proxy (`--public-port`).
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { dpopCheck, jwtVerifier, ResourceGuard } from '@tenon/mcp-auth/server';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { sseMount } from '@tenon/mcp-server/sse';
import { memoryState } from '@tenon/mcp-state';
import { redisState } from '@tenon/mcp-state-redis';
import { scopes } from './authority.js';
import { readAuthorityPage, startAuthorityPage } from './authority-page.js';

const { values } = parseArgs({
  options: {
    sse: { type: 'boolean', default: false },
    redis: { type: 'string' },
    authority: { type: 'string' },
    'public-port': { type: 'string' },
  },
});
const state = values.redis === undefined ? memoryState() : redisState({ url: values.redis });
const page = values.authority ?? (await startAuthorityPage()).url;
const { issuer } = await readAuthorityPage(page);
/** Tenon's handlers do not see the token, so the last token received is kept here. */
let latest = '';
const check = jwtVerifier();

const server = createServer({ name: 'guarded-tenon', version: '1.0.0' }, { state })
  .tool('whoami', { description: 'Who calls' }, (_, { auth }) =>
    JSON.stringify({
      user: auth?.id,
      client: auth?.clientId,
      scopes: auth?.scopes,
      isBound: auth?.claims?.cnf !== undefined,
    }),
  )
  .tool('write', { description: 'Requires another scope', scopes: [scopes.write] }, () => 'written')
  .tool(
    'rule',
    { description: 'Requires a scope that is never granted', scopes: [scopes.rule] },
    () => 'ruled',
  )
  .tool('asked', { description: 'What tokens were asked for' }, async () =>
    JSON.stringify((await readAuthorityPage(page)).asked),
  )
  .tool('blacklist', { description: 'Refuses the token of this call from now on' }, async () => {
    await state.kv.put(refusalOf(latest), '');
    return 'done';
  })
  .tool('grow', { description: 'Changes the list of tools' }, () => {
    server.tool('grown', { description: 'A tool more' }, () => 'grown');
    return 'done';
  });

const mount = values.sse ? sseMount(server) : undefined;

/**
 * Returns the key that exists if the server rejects a valid token.
 *
 * @param {string} token
 */
function refusalOf(token) {
  return `blacklist/${createHash('sha256').update(token).digest('hex')}`;
}

/** @param {string} own the URL of the endpoint in this process */
function guardOf(own) {
  const url = new URL(own);
  url.port = values['public-port'] ?? url.port;
  return new ResourceGuard({
    // A server with more than one endpoint accepts tokens for its whole origin.
    resource: mount === undefined ? url.href : url.origin,
    authorizationServers: [issuer],
    scopes: [scopes.read],
    dpop: dpopCheck({ state }),
    async verify(token, request, realm) {
      const refused = await state.kv.get(refusalOf(token));
      latest = token;
      return refused === undefined ? check(token, request, realm) : { rejected: 'It is on the blacklist.' };
    },
  });
}

const { url } = await serveHttp(server, {
  port: 0,
  path: '/mcp',
  mounts: mount === undefined ? [] : [mount],
  guard: guardOf,
});
console.log(JSON.stringify({ url, sse: new URL(mount?.paths[0] ?? '', url).href }));
