import { otherBounds } from '@tenon/foundation';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authorize, exchange, newSigner, redirectUri, requestToken } from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ now: () => 1_700_000_000_000 });
});

afterEach(() => server.close());

interface Registered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function register(metadata: unknown): Promise<Registered> {
  const response = await fetch(`${server.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as Registered['body'] };
}

const desktopClient = {
  client_name: 'Desk',
  redirect_uris: [redirectUri],
  application_type: 'native',
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: 'none',
};

test('registers a public client, which signs in with its new id', async () => {
  const { status, body } = await register(desktopClient);
  expect(status).toBe(201);
  expect(body).toEqual({
    ...desktopClient,
    response_types: ['code'],
    client_id: expect.any(String),
    client_id_issued_at: 1_700_000_000,
  });
  const clientId = String(body.client_id);
  expect(server.clients.get(clientId)).toMatchObject({ name: 'Desk', applicationType: 'native' });
  const code = (await authorize(server, { client_id: clientId })).get('code');
  expect((await exchange(server, code, { client_id: clientId })).body).toHaveProperty('refresh_token');
});

test('issues a secret to a client without token_endpoint_auth_method', async () => {
  const { body } = await register({ redirect_uris: [redirectUri], grant_types: ['client_credentials'] });
  expect(body).toMatchObject({
    client_secret: expect.any(String),
    client_secret_expires_at: 0,
    token_endpoint_auth_method: 'client_secret_basic',
  });
  const credentials = Buffer.from(`${body.client_id}:${body.client_secret}`).toString('base64');
  const answer = await requestToken(
    server,
    { grant_type: 'client_credentials' },
    { authorization: `Basic ${credentials}` },
  );
  expect(answer.status).toBe(200);
});

test('registers a client with keys', async () => {
  const { jwks } = await newSigner();
  const signing = { ...desktopClient, token_endpoint_auth_method: 'private_key_jwt' };
  expect((await register(signing)).body.error).toBe('invalid_client_metadata');
  const { body } = await register({ ...signing, jwks });
  expect(server.clients.get(String(body.client_id))).toMatchObject({ jwks, authMethod: 'private_key_jwt' });
});

test.each([
  [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['http://app.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: [`${redirectUri}#part`] }, 'invalid_redirect_uri'],
  [{ redirect_uris: 'one' }, 'invalid_client_metadata'],
  [{ token_endpoint_auth_method: 'tls_client_auth' }, 'invalid_client_metadata'],
  [{ response_types: ['token'] }, 'invalid_client_metadata'],
  [{ client_name: 7 }, 'invalid_client_metadata'],
  [{ jwks: 7 }, 'invalid_client_metadata'],
])('rejects %j with %s', async (changes, error) => {
  const { status, body } = await register({ ...desktopClient, ...changes });
  expect(status).toBe(400);
  expect(body.error).toBe(error);
});

test('rejects a body that is not an object', async () => {
  expect((await register([desktopClient])).body.error).toBe('invalid_client_metadata');
});

test('rejects redirect URIs that do not fit the application type, if configured', async () => {
  const { application_type: _type, ...untyped } = desktopClient;
  expect((await register(untyped)).status).toBe(201);
  server.behave({ registration: 'by-application-type' });
  expect((await register(desktopClient)).status).toBe(201);
  // Without a type, the client is a web application, which cannot be on this machine.
  expect((await register(untyped)).body.error).toBe('invalid_redirect_uri');
  const web = { ...desktopClient, application_type: 'web', redirect_uris: ['https://app.example/cb'] };
  expect((await register(web)).status).toBe(201);
  expect((await register({ ...web, application_type: 'native' })).body.error).toBe('invalid_redirect_uri');
  expect((await register({ ...web, application_type: 'other' })).body.error).toBe('invalid_client_metadata');
});

test('rejects registration if it is off', async () => {
  server.behave({ registration: 'off' });
  expect((await register(desktopClient)).status).toBe(404);
});

test('drops the oldest clients beyond the maximum', async () => {
  const small = await startTestAuthorizationServer(otherBounds({ entries: 2 }));
  for (const clientId of ['one', 'two', 'three']) small.addClient({ clientId });
  expect([...small.clients.keys()]).toEqual(['two', 'three']);
  await small.close();
});
