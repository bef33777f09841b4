import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  authorize,
  introspect,
  post,
  publicClient,
  secretClient,
  signIn,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let now: number;

beforeEach(async () => {
  now = 1_700_000_000_000;
  server = await startTestAuthorizationServer({
    clients: [publicClient, secretClient],
    accessTokens: 'opaque',
    now: () => now,
  });
});

afterEach(() => server.close());

test('returns the state of an active token to a resource server', async () => {
  const { access_token: token } = await signIn(server, { scope: 'read', resource: 'https://mcp.example/' });
  expect(await introspect(server, token)).toEqual({
    active: true,
    iss: server.issuer,
    sub: 'user',
    username: 'user',
    aud: 'https://mcp.example/',
    client_id: 'desk',
    scope: 'read',
    token_type: 'Bearer',
    iat: now / 1_000,
    exp: now / 1_000 + 3_600,
    jti: expect.any(String),
  });
});

test('returns nothing but "inactive" for an invalid token', async () => {
  const { access_token: token } = await signIn(server);
  now += 3_600_000;
  expect(await introspect(server, token)).toEqual({ active: false });
  expect(await introspect(server, 'made up')).toEqual({ active: false });
  expect(await introspect(server, (await authorize(server)).get('code'))).toEqual({ active: false });
  const early = await server.issueToken({ claims: { nbf: now / 1_000 + 1 } });
  expect(await introspect(server, early)).toEqual({ active: false });
});

test('requires client authentication', async () => {
  for (const params of [{ token: 'x' }, { token: 'x', client_id: 'desk' }]) {
    const answer = await post(server, 'introspect', { params });
    expect(answer.status).toBe(401);
    expect(answer.body.error).toBe('invalid_client');
  }
});

test('revokes an access token alone, and a refresh token with all tokens of its grant', async () => {
  const { access_token: access, refresh_token: refresh } = await signIn(server);
  const { access_token: other } = await signIn(server);
  expect(
    (await post(server, 'revoke', { params: { token: String(access), client_id: 'desk' } })).status,
  ).toBe(200);
  expect(await introspect(server, access)).toEqual({ active: false });
  expect(await introspect(server, refresh)).toMatchObject({ active: true });
  expect(await introspect(server, other)).toMatchObject({ active: true });
  const { access_token: fresh, refresh_token: last } = await signIn(server);
  await post(server, 'revoke', { params: { token: String(last), client_id: 'desk' } });
  expect(await introspect(server, fresh)).toEqual({ active: false });
});

test('ignores an unknown token, and rejects one of another client', async () => {
  const { access_token: access } = await signIn(server);
  const credentials = { client_id: 'backend', client_secret: 'hush' };
  const foreign = await post(server, 'revoke', { params: { token: String(access), ...credentials } });
  expect(foreign.status).toBe(400);
  expect(await introspect(server, access)).toMatchObject({ active: true });
  expect((await post(server, 'revoke', { params: { token: 'made up', ...credentials } })).status).toBe(200);
  expect((await post(server, 'revoke', { params: { token: String(access) } })).status).toBe(401);
});
