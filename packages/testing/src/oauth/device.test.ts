import { decodeJwt } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Answer, post, publicClient, requestToken, secretClient } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;
let now: number;

beforeEach(async () => {
  now = 1_700_000_000_000;
  server = await startTestAuthorizationServer({ clients: [publicClient, secretClient], now: () => now });
});

afterEach(() => server.close());

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

function begin(params: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return post(server, 'device', { params: { client_id: 'desk', ...params } });
}

function poll({ body }: Answer, changes: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const params = { grant_type: grantType, client_id: 'desk', device_code: String(body.device_code) };
  return requestToken(server, { ...params, ...changes });
}

function visit({ body }: Answer): Promise<Response> {
  return fetch(String(body.verification_uri_complete));
}

test('issues a device code, and tokens after the user has opened the page', async () => {
  const begun = await begin({ scope: 'read', resource: 'https://mcp.example/mcp' });
  expect(begun).toMatchObject({
    status: 200,
    body: {
      device_code: expect.any(String),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${server.issuer}/verify`,
      verification_uri_complete: `${server.issuer}/verify?user_code=${begun.body.user_code}`,
      expires_in: 600,
      interval: 5,
    },
  });
  expect((await poll(begun)).body.error).toBe('authorization_pending');
  expect((await poll(begun)).body.error).toBe('slow_down');
  expect((await visit(begun)).status).toBe(200);
  now += 5_000;
  const { body } = await poll(begun);
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read', refresh_token: expect.any(String) });
  expect(decodeJwt(String(body.access_token))).toMatchObject({
    sub: 'user',
    aud: 'https://mcp.example/mcp',
    client_id: 'desk',
  });
  now += 5_000;
  expect((await poll(begun)).body.error).toBe('invalid_grant');
});

test('has a page with a form for the code, and accepts each code once', async () => {
  expect(await (await fetch(`${server.issuer}/verify`)).text()).toContain('name="user_code"');
  const begun = await begin();
  expect((await visit(begun)).status).toBe(200);
  expect((await visit(begun)).status).toBe(400);
  expect((await fetch(`${server.issuer}/verify?user_code=BBBB-BBBB`)).status).toBe(400);
});

test('answers access_denied for a user who denies, and expired_token after the lifetime', async () => {
  server.behave({ user: 'deny', lifetimes: { deviceCode: 60_000 } });
  const begun = await begin();
  await visit(begun);
  expect((await poll(begun)).body.error).toBe('access_denied');
  const late = await begin();
  expect(late.body.expires_in).toBe(60);
  now += 60_000;
  expect((await poll(late)).body.error).toBe('expired_token');
  expect((await visit(late)).status).toBe(400);
});

test('rejects another client, one that does not authenticate, and one without the grant', async () => {
  const begun = await begin();
  const other = { client_id: 'backend', client_secret: 'hush' };
  expect((await poll(begun, other)).body.error).toBe('invalid_grant');
  expect((await begin({ client_id: 'backend' })).body.error).toBe('invalid_client');
  server.addClient({ ...publicClient, grantTypes: ['authorization_code'] });
  expect((await begin()).body.error).toBe('unauthorized_client');
});

test('names the endpoint in the metadata unless the grant is switched off', async () => {
  const document = async () =>
    (await fetch(`${server.origin}/.well-known/oauth-authorization-server`)).json() as Promise<object>;
  expect(await document()).toHaveProperty('device_authorization_endpoint', `${server.issuer}/device`);
  server.behave({ grantTypes: ['authorization_code'] });
  expect(await document()).not.toHaveProperty('device_authorization_endpoint');
});
