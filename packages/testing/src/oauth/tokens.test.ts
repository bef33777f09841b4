import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, exportSPKI, importJWK, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { introspect, secretClient } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
const now = 1_700_000_000_000;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [secretClient], now: () => now });
});

afterEach(() => server.close());

function verify(token: string) {
  return jwtVerify(token, createLocalJWKSet(server.jwks), { currentDate: new Date(now) });
}

test('issues a token that verifies with the published keys', async () => {
  const token = await server.issueToken({
    subject: 'ada',
    clientId: 'desk',
    audience: 'https://mcp.example/',
    scopes: ['a', 'b'],
  });
  const served = await fetch(`${server.issuer}/jwks`);
  expect(served.headers.get('content-type')).toBe('application/jwk-set+json');
  expect(await served.json()).toEqual(server.jwks);
  const { payload, protectedHeader } = await verify(token);
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
  expect(payload).toMatchObject({
    iss: server.issuer,
    sub: 'ada',
    client_id: 'desk',
    aud: 'https://mcp.example/',
    scope: 'a b',
    exp: now / 1_000 + 3_600,
  });
  expect(await introspect(server, token)).toMatchObject({ active: true, sub: 'ada' });
});

test('publishes no private part of a key', () => {
  for (const key of server.jwks.keys) expect(key).not.toHaveProperty('d');
});

test.each([
  ['none', 'none'],
  ['hs256-public-key', 'HS256'],
  ['wrong-key', 'ES256'],
  ['broken', 'ES256'],
] as const)('signs a token by %s as %s, which no published key verifies', async (signature, alg) => {
  const token = await server.issueToken({ signature });
  expect(decodeProtectedHeader(token)).toMatchObject({ alg, kid: server.jwks.keys[0]?.kid });
  await expect(verify(token)).rejects.toThrow();
  expect(await introspect(server, token)).toEqual({ active: false });
});

test('issues a token for key confusion with the public key as secret', async () => {
  const token = await server.issueToken({ signature: 'hs256-public-key' });
  const key = await importJWK(server.jwks.keys[0] ?? {}, 'ES256', { extractable: true });
  if (key instanceof Uint8Array) throw new Error('a public key was expected');
  const secret = new TextEncoder().encode(await exportSPKI(key));
  await expect(jwtVerify(token, secret, { currentDate: new Date(now) })).resolves.toHaveProperty('payload');
});

test('issues a token with an empty signature', async () => {
  expect(await server.issueToken({ signature: 'none' })).toMatch(/^[\w-]+\.[\w-]+\.$/);
});

test('replaces or removes claims and header members', async () => {
  const token = await server.issueToken({
    lifetime: -1_000,
    claims: { nbf: 4_000_000_000, aud: ['one', 'two'], sub: undefined, cnf: { jkt: 'thumb' } },
    header: { kid: undefined, typ: 'JWT', crit: ['odd'] },
  });
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'JWT', crit: ['odd'] });
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({
    nbf: 4_000_000_000,
    aud: ['one', 'two'],
    cnf: { jkt: 'thumb' },
    exp: now / 1_000 - 1,
  });
  expect(claims).not.toHaveProperty('sub');
});

test('issues an ID token for its client', async () => {
  const token = await server.issueToken({ kind: 'id', clientId: 'desk' });
  expect(decodeJwt(token)).toMatchObject({ aud: 'desk', sub: 'user' });
});

test('issues an opaque token that only introspection can read', async () => {
  const token = await server.issueToken({ format: 'opaque', scopes: ['read'], lifetime: 5_000 });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await introspect(server, token)).toMatchObject({
    active: true,
    scope: 'read',
    exp: now / 1_000 + 5,
  });
  const expired = await server.issueToken({ format: 'opaque', lifetime: -1_000 });
  expect(await introspect(server, expired)).toEqual({ active: false });
});

test('signs with a new key after rotation, and publishes earlier ones as configured', async () => {
  const old = await server.issueToken();
  const [before] = server.jwks.keys;
  await server.rotateKeys();
  expect(server.jwks.keys).toHaveLength(2);
  expect(server.jwks.keys[1]).toEqual(before);
  const young = await server.issueToken();
  expect(decodeProtectedHeader(young).kid).not.toBe(before?.kid);
  await verify(old);
  await server.rotateKeys(0);
  await expect(verify(old)).rejects.toThrow(/no applicable key/);
  await expect(verify(young)).rejects.toThrow(/no applicable key/);
  await expect(server.rotateKeys(-1)).rejects.toThrow(RangeError);
});
