import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import {
  authorize,
  exchange,
  introspect,
  publicClient,
  secretClient,
  signIn,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let now = 1_700_000_000_000;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient], now: () => now });
});

afterEach(() => server.close());

async function code(changes: Parameters<typeof authorize>[1] = {}): Promise<string | null> {
  return (await authorize(server, changes)).get('code');
}

test('exchanges a code for tokens with user, client and audience', async () => {
  shows('2026-07-28/basic/authorization/security-considerations/short-lived');
  const answer = await exchange(server, await code({ scope: 'read', resource: 'https://mcp.example/mcp' }));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3_600,
    scope: 'read',
    refresh_token: expect.any(String),
  });
  const token = String(answer.body.access_token);
  expect(decodeProtectedHeader(token)).toEqual({
    alg: 'ES256',
    kid: server.jwks.keys[0]?.kid,
    typ: 'at+jwt',
  });
  expect(decodeJwt(token)).toEqual({
    iss: server.issuer,
    sub: 'user',
    aud: 'https://mcp.example/mcp',
    client_id: 'desk',
    scope: 'read',
    iat: now / 1_000,
    exp: now / 1_000 + 3_600,
    jti: expect.any(String),
  });
});

test.each([
  [
    'a wrong verifier',
    { code_verifier: 'x'.repeat(43) },
    'invalid_grant',
    '2026-07-28/basic/authorization/index/server-oauth-2-1',
  ],
  ['no verifier', { code_verifier: undefined }, 'invalid_request'],
  ['a short verifier', { code_verifier: 'short' }, 'invalid_request'],
  ['another redirect URI', { redirect_uri: 'http://127.0.0.1:9/callback' }, 'invalid_grant'],
  ['another client', { client_id: 'backend', client_secret: 'hush' }, 'invalid_grant'],
  ['a resource that is not allowed', { resource: 'https://other.example/' }, 'invalid_target'],
])('rejects an exchange with %s', async (...[, changes, error, ...ids]) => {
  shows(...ids);
  const given = await code({ resource: 'https://mcp.example/mcp' });
  const answer = await exchange(server, given, changes);
  expect(answer.status).toBe(400);
  expect(answer.body.error).toBe(error);
});

test('rejects a second verifier for a code', async () => {
  const given = await code();
  await exchange(server, given, { code_verifier: 'x'.repeat(43) });
  expect((await exchange(server, given)).body.error).toBe('invalid_grant');
});

test('revokes the tokens of a code that is used again', async () => {
  shows('2026-07-28/basic/authorization/index/server-oauth-2-1');
  const given = await code();
  const { body } = await exchange(server, given);
  expect(await introspect(server, body.access_token)).toMatchObject({ active: true });
  expect((await exchange(server, given)).body.error).toBe('invalid_grant');
  expect(await introspect(server, body.access_token)).toEqual({ active: false });
  expect(await introspect(server, body.refresh_token)).toEqual({ active: false });
});

test('accepts one of two exchanges at the same time', async () => {
  const given = await code();
  const answers = await Promise.all([exchange(server, given), exchange(server, given)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('rejects an expired code', async () => {
  const given = await code();
  now += 60_000;
  expect((await exchange(server, given)).body.error).toBe('invalid_grant');
  server.behave({ lifetimes: { code: 600_000 } });
  const longer = await code();
  now += 60_000;
  expect((await exchange(server, longer)).status).toBe(200);
});

test('issues tokens for one of the granted resources, or for all', async () => {
  const resource = ['https://a.example/', 'https://b.example/'];
  const all = await exchange(server, await code({ resource }));
  expect(decodeJwt(String(all.body.access_token)).aud).toEqual(resource);
  const one = await exchange(server, await code({ resource }), { resource: 'https://b.example/' });
  expect(decodeJwt(String(one.body.access_token)).aud).toBe('https://b.example/');
});

test('uses the default audience without a resource', async () => {
  expect(decodeJwt(String((await signIn(server)).access_token)).aud).toBe(server.issuer);
  server.behave({ audience: 'https://mcp.example/' });
  expect(decodeJwt(String((await signIn(server)).access_token)).aud).toBe('https://mcp.example/');
  server.behave({ resource: 'ignored' });
  const { access_token: ignoring } = await signIn(server, { resource: 'https://other.example/' });
  expect(decodeJwt(String(ignoring)).aud).toBe('https://mcp.example/');
});

test('issues an ID token with nonce for the scope openid', async () => {
  const { id_token: idToken } = await signIn(server, { scope: 'openid', nonce: 'once' });
  expect(decodeProtectedHeader(String(idToken)).typ).toBe('JWT');
  expect(decodeJwt(String(idToken))).toMatchObject({
    iss: server.issuer,
    sub: 'user',
    aud: 'desk',
    nonce: 'once',
  });
});

test('lets a test change the claims', async () => {
  server.behave({ claims: (claims, { kind, grantType }) => ({ ...claims, kind, grantType }) });
  const { access_token: token } = await signIn(server);
  expect(decodeJwt(String(token))).toMatchObject({ kind: 'access', grantType: 'authorization_code' });
});
