import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import {
  type Answer,
  authorize,
  introspect,
  newSigner,
  publicClient,
  requestToken,
  secretClient,
  signIn,
  verifier,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let now: number;

beforeEach(async () => {
  now = 1_700_000_000_000;
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient], now: () => now });
});

afterEach(() => server.close());

function refresh(
  token: unknown,
  changes: Parameters<typeof requestToken>[1] = {},
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const params = { grant_type: 'refresh_token', client_id: 'desk', refresh_token: String(token), ...changes };
  return requestToken(server, params, headers);
}

test('issues another access token and another refresh token', async () => {
  const first = await signIn(server, { scope: 'read write', resource: 'https://mcp.example/' });
  now += 5_000;
  const { body } = await refresh(first.refresh_token);
  expect(body).toMatchObject({ scope: 'read write', token_type: 'Bearer', expires_in: 3_600 });
  expect(body.refresh_token).not.toBe(first.refresh_token);
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    aud: 'https://mcp.example/',
    sub: 'user',
    iat: now / 1_000,
  });
  expect((await refresh(body.refresh_token)).status).toBe(200);
});

test('revokes the family when an old refresh token is used again', async () => {
  const first = await signIn(server);
  const second = await refresh(first.refresh_token);
  expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
  expect((await refresh(second.body.refresh_token)).body.error).toBe('invalid_grant');
  expect(await introspect(server, second.body.access_token)).toEqual({ active: false });
});

test('accepts one of two uses at the same time', async () => {
  const { refresh_token: token } = await signIn(server);
  const answers = await Promise.all([refresh(token), refresh(token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('returns the same refresh token with "lasting"', async () => {
  server.behave({ refreshTokens: 'lasting' });
  const first = await signIn(server);
  for (let time = 0; time < 2; time++)
    expect((await refresh(first.refresh_token)).body.refresh_token).toBe(first.refresh_token);
});

test('grants fewer scopes on request, never more, and all of them again later', async () => {
  shows('2026-07-28/security-best-practices/scopes-subset');
  const first = await signIn(server, { scope: 'read write' });
  expect((await refresh(first.refresh_token, { scope: 'admin' })).body.error).toBe('invalid_scope');
  const narrow = await refresh(first.refresh_token, { scope: 'read' });
  expect(narrow.body.scope).toBe('read');
  expect((await refresh(narrow.body.refresh_token)).body.scope).toBe('read write');
});

test('rejects other resources, and other clients', async () => {
  const { refresh_token: token } = await signIn(server, { resource: 'https://mcp.example/' });
  expect((await refresh(token, { resource: 'https://other.example/' })).body.error).toBe('invalid_target');
  const stolen = await refresh(token, { client_id: 'backend', client_secret: 'hush' });
  expect(stolen.body.error).toBe('invalid_grant');
  expect((await refresh(token)).status).toBe(200);
});

test('rejects an access token', async () => {
  const { access_token: token } = await signIn(server);
  expect((await refresh(token)).body.error).toBe('invalid_grant');
});

test('rejects a refresh token that expired or was revoked', async () => {
  const first = await signIn(server);
  now += 86_400_000;
  expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
  const second = await signIn(server);
  server.revoke(String(second.refresh_token));
  expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  expect(await introspect(server, second.access_token)).toEqual({ active: false });
  const third = await signIn(server);
  server.revokeAll();
  expect((await refresh(third.refresh_token)).body.error).toBe('invalid_grant');
});

test('issues no refresh token if they are off, or if the client did not register the grant', async () => {
  server.behave({ refreshTokens: 'none' });
  expect(await signIn(server)).not.toHaveProperty('refresh_token');
  server.behave({ refreshTokens: 'rotating' });
  server.addClient({ ...publicClient, grantTypes: ['authorization_code'] });
  expect(await signIn(server)).not.toHaveProperty('refresh_token');
});

test('requires the scope offline_access if it is supported', async () => {
  server.behave({ scopesSupported: ['read', 'offline_access'] });
  expect(await signIn(server, { scope: 'read' })).not.toHaveProperty('refresh_token');
  expect(await signIn(server, { scope: 'read offline_access' })).toHaveProperty('refresh_token');
});

test('binds the refresh token of a public client to the key of its proofs', async () => {
  const mine = await newSigner();
  const other = await newSigner();
  now = Date.now();
  const code = (await authorize(server)).get('code');
  const { body } = await requestToken(
    server,
    { grant_type: 'authorization_code', client_id: 'desk', code: code ?? '', code_verifier: verifier },
    { dpop: await mine.proof(server) },
  );
  expect(body.token_type).toBe('DPoP');
  expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  const stolen = await refresh(body.refresh_token, {}, { dpop: await other.proof(server) });
  expect(stolen.body.error).toBe('invalid_grant');
  const again = await refresh(body.refresh_token, {}, { dpop: await mine.proof(server) });
  expect(again.body.token_type).toBe('DPoP');
});
