import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { type Answer, newSigner, requestToken, type Signer } from '../../test/oauth-exchange.js';
import { startTestAuthorizationServer, type TestAuthorizationServer, type TestClient } from '../oauth.js';

const id = 'back end:1';
const secret = 'h&sh:%+ ü';
let server: TestAuthorizationServer;
let signer: Signer;
let now: number;

beforeEach(async () => {
  now = 1_700_000_000_000;
  signer = await newSigner();
  server = await startTestAuthorizationServer({
    clients: [
      { clientId: id, clientSecret: secret },
      { clientId: 'signing', jwks: signer.jwks },
    ],
    now: () => now,
  });
});

afterEach(() => server.close());

const grant = { grant_type: 'client_credentials' };

function basic(user: string, password: string): Readonly<Record<string, string>> {
  const part = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);
  return { authorization: `Basic ${Buffer.from(`${part(user)}:${part(password)}`).toString('base64')}` };
}

function assertion(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  return signer.sign({
    iss: 'signing',
    sub: 'signing',
    aud: server.issuer,
    exp: now / 1_000 + 60,
    jti: crypto.randomUUID(),
    ...claims,
  });
}

async function bySigning(
  claims: Readonly<Record<string, unknown>> = {},
  changes: Parameters<typeof requestToken>[1] = {},
): Promise<Answer> {
  return requestToken(server, {
    ...grant,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await assertion(claims),
    ...changes,
  });
}

test('accepts a secret in the header, form-encoded, or in the body', async () => {
  expect((await requestToken(server, grant, basic(id, secret))).status).toBe(200);
  expect((await requestToken(server, { ...grant, client_id: id, client_secret: secret })).status).toBe(200);
});

test('rejects credentials in the header that are not form-encoded', async () => {
  const raw = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
  const { body } = await requestToken(server, grant, raw);
  expect(body).toMatchObject({
    error: 'invalid_client',
    error_description: expect.stringContaining('encoded'),
  });
});

test('rejects a wrong secret with 401 and the scheme of the request', async () => {
  const answer = await requestToken(server, grant, basic(id, 'wrong'));
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  const posted = await requestToken(server, { ...grant, client_id: id, client_secret: 'wrong' });
  expect(posted.status).toBe(401);
  expect(posted.body.error).toBe('invalid_client');
});

test('rejects an expired secret', async () => {
  server.addClient({ clientId: id, clientSecret: secret, secretExpiresAt: now + 1_000 });
  expect((await requestToken(server, grant, basic(id, secret))).status).toBe(200);
  now += 1_000;
  expect((await requestToken(server, grant, basic(id, secret))).body.error).toBe('invalid_client');
});

test('rejects a client with a secret or key that does not authenticate', async () => {
  shows('2026-07-28/basic/authorization/index/server-oauth-2-1');
  for (const clientId of [id, 'signing'])
    expect((await requestToken(server, { ...grant, client_id: clientId })).body.error).toBe('invalid_client');
});

test('rejects a client that was removed', async () => {
  server.removeClient(id);
  expect((await requestToken(server, grant, basic(id, secret))).body.error).toBe('invalid_client');
});

test('rejects another method than the registered one, or one the server does not accept', async () => {
  const client: TestClient = { clientId: id, clientSecret: secret, authMethod: 'client_secret_post' };
  server.addClient(client);
  expect((await requestToken(server, grant, basic(id, secret))).body.error).toBe('invalid_client');
  expect((await requestToken(server, { ...grant, client_id: id, client_secret: secret })).status).toBe(200);
  server.behave({ authMethods: ['client_secret_basic'] });
  expect((await requestToken(server, { ...grant, client_id: id, client_secret: secret })).status).toBe(401);
});

test('rejects more than one authentication method at once', async () => {
  const answer = await requestToken(
    server,
    { ...grant, client_id: id, client_secret: secret },
    basic(id, secret),
  );
  expect(answer.body.error).toBe('invalid_request');
});

test('identifies a client by its assertion alone', async () => {
  expect((await bySigning()).status).toBe(200);
  expect((await bySigning({ aud: `${server.issuer}/token` })).status).toBe(200);
  expect((await bySigning({}, { client_id: 'signing' })).status).toBe(200);
});

test.each([
  ['for another audience', { aud: 'https://other.example' }, /"aud"/],
  ['that has expired', { exp: 1_600_000_000 }, /"exp"/],
  ['without an end', { exp: undefined }, /"exp"/],
  ['without jti', { jti: undefined }, /"jti"/],
  ['by another issuer', { iss: 'other' }, /"iss"/],
  ['of an unknown client', { iss: 'other', sub: 'other' }, /no keys/],
  ['of nobody', { sub: undefined }, /not a JWT with a sub/],
])('rejects an assertion %s', async (_name, claims, reason) => {
  const answer = await bySigning(claims);
  expect(answer.status).toBe(401);
  expect(answer.body.error).toBe('invalid_client');
  expect(answer.body.error_description).toMatch(reason);
});

test('rejects an assertion with another key, or for another client_id', async () => {
  const stranger = await newSigner();
  const forged = await stranger.sign({
    iss: 'signing',
    sub: 'signing',
    aud: server.issuer,
    exp: 4_000_000_000,
    jti: '1',
  });
  expect((await bySigning({}, { client_assertion: forged })).body.error).toBe('invalid_client');
  expect((await bySigning({}, { client_id: id })).body.error).toBe('invalid_client');
  expect((await bySigning({}, { client_assertion_type: 'other' })).body.error).toBe('invalid_client');
});

test('accepts an assertion once', async () => {
  expect((await bySigning({ jti: 'the same' })).status).toBe(200);
  expect((await bySigning({ jti: 'the same' })).body.error_description).toContain('used before');
});
