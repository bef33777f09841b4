import { request as httpRequest } from 'node:http';
import { otherBounds } from '@tenon/foundation';
import { afterEach, expect, test } from 'vitest';
import { publicClient, requestToken, secretClient } from '../test/oauth-exchange.js';
import {
  oauthError,
  startTestAuthorizationServer,
  type TestAuthorizationServer,
  type TestAuthorizationServerOptions,
} from './oauth.js';

const started: TestAuthorizationServer[] = [];

async function start(options: TestAuthorizationServerOptions = {}): Promise<TestAuthorizationServer> {
  const server = await startTestAuthorizationServer(options);
  started.push(server);
  return server;
}

afterEach(() => Promise.all(started.splice(0).map((server) => server.close())));

const machineToMachine = { grant_type: 'client_credentials', client_id: 'backend', client_secret: 'hush' };

test('marks its page and every response as for tests only', async () => {
  const server = await start();
  for (const path of ['/', '/token', '/nowhere', '/.well-known/oauth-authorization-server']) {
    const response = await fetch(server.issuer + path);
    expect(response.headers.get('x-test-authorization-server')).toBe('for tests only');
    await response.arrayBuffer();
  }
  const page = await fetch(server.issuer).then((response) => response.text());
  expect(page).toContain('for tests only');
  expect(page).toContain(server.issuer);
});

test('listens on this machine only, and rejects another host', async () => {
  const elsewhere = { host: '0.0.0.0' } as unknown as TestAuthorizationServerOptions;
  await expect(start(elsewhere)).rejects.toThrow(/host must be 127\.0\.0\.1 or localhost/);
  expect((await start()).issuer).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const named = await start({ host: 'localhost' });
  expect(named.issuer).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await fetch(`${named.issuer}/jwks`)).status).toBe(200);
});

test('rejects requests under a public host name', async () => {
  const server = await start();
  const status = await new Promise((resolve, reject) => {
    httpRequest(`${server.issuer}/jwks`, { headers: { host: 'auth.example.com' } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(403);
});

test.each([
  [{ isss: 'missing' }, /there is no option "isss"/],
  [{ lifetimes: { token: 1 } }, /there is no option "token"/],
  [{ path: '/tenant/' }, /path must be a path such as \/tenant/],
  [{ resource: 'bind' }, /resource must be one of bound, required, ignored/],
  [{ discovery: ['oauth2'] }, /discovery must be a list of oauth/],
  [{ clients: [{ clientId: '' }] }, /clientId must be a text/],
  [{ clients: [{ name: 'nobody' }] }, /needs a clientId/],
])('rejects invalid options: %j', async (options, message) => {
  await expect(start(options as TestAuthorizationServerOptions)).rejects.toThrow(message);
});

test('changes behaviour between requests, and rejects unknown options', async () => {
  const server = await start({ clients: [secretClient], scopesSupported: ['read'] });
  server.behave({ accessTokens: 'opaque' });
  expect((await requestToken(server, machineToMachine)).body.access_token).not.toContain('.');
  server.behave({ accessTokens: undefined } as never);
  expect((await requestToken(server, machineToMachine)).body.access_token).toContain('.');
  expect((await requestToken(server, { ...machineToMachine, scope: 'write' })).body.error).toBe(
    'invalid_scope',
  );
  expect(() => server.behave({ acessTokens: 'jwt' } as never)).toThrow(/there is no option "acessTokens"/);
});

test('keeps and counts requests, and drops the oldest beyond the maximum', async () => {
  const now = 1_700_000_000_000;
  const server = await start({ clients: [secretClient], ...otherBounds({ requests: 2 }), now: () => now });
  await requestToken(server, machineToMachine, { 'x-request': 'first' });
  await requestToken(server, { ...machineToMachine, resource: ['https://a.example', 'https://b.example'] });
  await requestToken(server, { grant_type: 'made up' });
  expect(server.requests).toMatchObject([
    { endpoint: 'token', method: 'POST', params: { resource: 'https://a.example', client_secret: 'hush' } },
    { endpoint: 'token', url: '/token', params: { grant_type: 'made up' }, at: now },
  ]);
  expect(server.count('token')).toBe(3);
  expect(server.tokenRequests()).toBe(3);
  expect(server.tokenRequests('client_credentials')).toBe(2);
  expect(server.tokenRequests('refresh_token')).toBe(0);
  expect(server.tokenRequests('made up'), 'a client could make up any number of them').toBe(0);
  expect(server.count('jwks')).toBe(0);
});

test('sends the response of onRequest, or hangs up', async () => {
  const server = await start({ clients: [secretClient] });
  server.behave({
    onRequest: ({ endpoint }) =>
      endpoint === 'jwks' ? oauthError('temporarily_unavailable', 'later', 503) : undefined,
  });
  const response = await fetch(`${server.issuer}/jwks`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: 'temporarily_unavailable', error_description: 'later' });
  expect((await requestToken(server, machineToMachine)).status).toBe(200);
  server.behave({ onRequest: () => 'hang-up' });
  await expect(fetch(`${server.issuer}/jwks`)).rejects.toThrow();
  server.behave({ onRequest: () => ({ status: 302, headers: { location: '/jwks' } }) });
  await expect(fetch(`${server.issuer}/jwks`)).rejects.toThrow(/fetch failed/);
});

test('reports the error of a hook that throws', async () => {
  const server = await start();
  server.behave({
    onRequest: () => {
      throw new Error('a slip of the test');
    },
  });
  const response = await fetch(`${server.issuer}/jwks`);
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('a slip of the test');
});

test('passes requests to unknown paths to `rest`, body included', async () => {
  const server = await start({
    rest: (request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      request.pipe(response);
    },
  });
  const response = await fetch(`${server.origin}/mcp`, { method: 'POST', body: 'as it was sent' });
  expect(await response.text()).toBe('as it was sent');
  expect((await fetch(`${server.origin}/token`)).status).toBe(405);
});

test('rejects a request that is too large', async () => {
  const server = await start({ clients: [publicClient], ...otherBounds({ bodyBytes: 100 }) });
  const answer = await requestToken(server, {
    grant_type: 'refresh_token',
    refresh_token: 'x'.repeat(100_000),
  });
  expect(answer.status).toBe(413);
});

test('closes open connections, and can be closed twice', async () => {
  const server = await startTestAuthorizationServer({ onRequest: () => new Promise(() => {}) });
  const open = fetch(`${server.issuer}/jwks`).then(
    () => 'answered',
    () => 'ended',
  );
  while (server.count('jwks') === 0) await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([server.close(), server.close()]);
  expect(await open).toBe('ended');
});
