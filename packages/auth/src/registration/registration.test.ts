import { expect, test, vi } from 'vitest';
import { fakeServer } from '../../test/client/fake-authorization.js';
import { failureOf, grantTools, someDay } from '../../test/client/grant-tools.js';
import { type Scripted, ScriptedHttp } from '../../test/http/scripted-http.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { GrantTools } from '../oauth/grant.js';
import type { AuthStore } from '../store/auth-store.js';
import { MemoryAuthStore } from '../store/memory-store.js';
import type { ClientIdentity } from './client-identity.js';
import { type ClientRequest, forgetRegistration, knownClient, obtainClient } from './registration.js';

const endpoint = 'https://auth.example/register';
const redirectUris = ['http://127.0.0.1/callback'];
const dynamic = { name: 'My agent' };
const metadataUrl = 'https://app.example/client.json';

interface Given {
  readonly identity?: ClientIdentity;
  readonly server?: Partial<AuthorizationServer>;
  readonly interaction?: ClientRequest['interaction'];
  readonly tools?: Partial<GrantTools>;
  readonly answer?: Scripted | ((count: number) => Scripted);
}

/** Returns the request of a client that wants to sign in, and the bodies that its registration endpoint received. */
function wanting({
  identity = { dynamic },
  server,
  interaction,
  tools,
  answer = { status: 201, body: { client_id: 'made' } },
}: Given = {}) {
  const http = new ScriptedHttp();
  let count = 0;
  http.on(endpoint, () => (typeof answer === 'function' ? answer(++count) : answer));
  const request: ClientRequest = {
    server: fakeServer(server),
    identity,
    grantType: 'authorization_code',
    interaction: interaction ?? { redirectUris, applicationType: 'native' },
    tools: grantTools(http, tools),
  };
  const requested = () => http.requests.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
  return { request, http, requested };
}

test('uses a client that is registered at this issuer, and tries nothing else', async () => {
  const registered = [
    { issuer: 'https://other.example', clientId: 'other' },
    { issuer: 'https://auth.example', clientId: 'own', clientSecret: 's3cret' },
  ];
  const identity = { registered, metadataUrl, dynamic };
  const { request, http } = wanting({ identity, server: { clientIdMetadataDocuments: true } });
  expect(await obtainClient(request)).toEqual({ clientId: 'own', clientSecret: 's3cret' });
  expect(http.requests).toEqual([]);
});

test('does not use a client that is registered elsewhere, and names both issuers in the error', async () => {
  const issuers = ['https://auth.example/', 'https://other.example', 'https://AUTH.example'];
  const registered = issuers.map((issuer) => ({ issuer, clientId: 'other', clientSecret: 's3cret' }));
  const { request, http } = wanting({ identity: { registered } });
  const failure = await failureOf(obtainClient(request));
  expect(failure).toMatchObject({
    reason: 'not-registered',
    message:
      'The client is not registered at https://auth.example: it is registered at https://auth.example/, https://other.example, https://AUTH.example, and is not used elsewhere; dynamic registration is turned off. Register it there by hand, and add it to the option client.registered.',
  });
  expect(http.requests).toEqual([]);
});

test('uses the metadata document where it is supported, before dynamic registration', async () => {
  const identity = { metadataUrl, dynamic };
  const { request, http } = wanting({ identity, server: { clientIdMetadataDocuments: true } });
  expect(await obtainClient(request)).toEqual({ clientId: metadataUrl, authMethod: 'none' });
  const elsewhere = {
    ...request,
    server: fakeServer({ issuer: 'https://b.example', clientIdMetadataDocuments: true }),
  };
  expect(await obtainClient(elsewhere)).toMatchObject({ clientId: metadataUrl });
  expect(http.requests).toEqual([]);
  const without = wanting({ identity });
  expect(await obtainClient(without.request)).toMatchObject({ clientId: 'made' });
});

test('uses a metadata document with a key where keys are accepted, or if there is no other way', async () => {
  const metadataKey = { key: 'PEM', alg: 'ES256' };
  const server = { clientIdMetadataDocuments: true, tokenEndpointAuthMethods: ['none', 'private_key_jwt'] };
  const own = { clientId: metadataUrl, key: metadataKey, authMethod: 'private_key_jwt' };
  expect(
    await obtainClient(wanting({ identity: { metadataUrl, metadataKey, dynamic }, server }).request),
  ).toEqual(own);
  const none = { ...server, tokenEndpointAuthMethods: ['none'] };
  expect(
    await obtainClient(wanting({ identity: { metadataUrl, metadataKey }, server: none }).request),
  ).toEqual(own);
  const other = wanting({ identity: { metadataUrl, metadataKey, dynamic }, server: none });
  expect(await obtainClient(other.request)).toMatchObject({ clientId: 'made' });
});

test('lists the reasons if no client id can be obtained', async () => {
  const { request } = wanting({
    identity: { metadataUrl, dynamic },
    server: { registrationEndpoint: undefined },
  });
  await expect(obtainClient(request)).rejects.toMatchObject({
    reason: 'not-registered',
    message: expect.stringContaining(
      'the server does not support client id metadata documents; the server has no dynamic registration',
    ),
  });
});

test('registers with all its metadata', async () => {
  const identity = {
    dynamic: {
      name: 'My agent',
      uri: 'https://app.example',
      contacts: ['a@app.example'],
      softwareId: 'agent',
      softwareVersion: '1',
      scopes: ['a', 'b'],
    },
  };
  const { request, http, requested } = wanting({ identity });
  expect(await obtainClient(request)).toEqual({ clientId: 'made', authMethod: 'none' });
  expect(requested()).toEqual([
    {
      client_name: 'My agent',
      client_uri: 'https://app.example',
      contacts: ['a@app.example'],
      software_id: 'agent',
      software_version: '1',
      scope: 'a b',
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
  ]);
  expect(http.requests).toMatchObject([{ method: 'POST', headers: { 'content-type': 'application/json' } }]);
});

test('registers for the grants and authentication methods of the server', async () => {
  const asked = async (server: Partial<AuthorizationServer>, answer: Scripted) => {
    const { request, requested } = wanting({ server, answer });
    await obtainClient(request);
    return requested()[0];
  };
  const secret = { body: { client_id: 'made', client_secret: 's3cret', client_secret_expires_at: 0 } };
  const basic = await asked(
    { tokenEndpointAuthMethods: ['private_key_jwt', 'client_secret_post', 'client_secret_basic'] },
    secret,
  );
  expect(basic).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' });
  const post = await asked(
    { tokenEndpointAuthMethods: ['client_secret_post'], grantTypesSupported: ['authorization_code'] },
    secret,
  );
  expect(post).toMatchObject({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['authorization_code'],
  });
  const { request, http } = wanting({
    server: { tokenEndpointAuthMethods: ['tls_client_auth', 'private_key_jwt'] },
  });
  await expect(obtainClient(request)).rejects.toMatchObject({
    reason: 'unsupported',
    message: expect.stringContaining('tls_client_auth, private_key_jwt'),
  });
  expect(http.requests).toEqual([]);
});

test('stores a registration, and uses it again with the same store', async () => {
  const body = {
    client_id: 'made',
    client_secret: 's3cret',
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret_expires_at: someDay / 1_000 + 3_600,
  };
  const { request, http } = wanting({ answer: { status: 201, body } });
  const client = {
    clientId: 'made',
    clientSecret: 's3cret',
    authMethod: 'client_secret_basic',
    secretExpiresAt: someDay + 3_600_000,
  };
  expect(await obtainClient(request)).toEqual(client);
  expect(await obtainClient(request)).toEqual(client);
  expect(http.requests).toHaveLength(1);
});

test('uses a registration only for its issuer, redirect URIs and name', async () => {
  const { request, http } = wanting({ answer: (count) => ({ body: { client_id: `made-${count}` } }) });
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-1' });
  const moved = fakeServer({
    issuer: 'https://auth.example/tenant',
    registrationEndpoint: new URL(endpoint),
  });
  expect(await obtainClient({ ...request, server: moved })).toMatchObject({ clientId: 'made-2' });
  const interaction = { ...request.interaction, redirectUris: ['http://127.0.0.1/other'] };
  expect(await obtainClient({ ...request, interaction })).toMatchObject({ clientId: 'made-3' });
  expect(await obtainClient({ ...request, identity: { dynamic: { name: 'Other' } } })).toMatchObject({
    clientId: 'made-4',
  });
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-1' });
  expect(http.requests).toHaveLength(4);
});

test('registers again if the client secret has expired or is about to', async () => {
  const { request } = wanting({
    answer: (count) => ({
      body: {
        client_id: `made-${count}`,
        client_secret: 's',
        client_secret_expires_at: someDay / 1_000 + (count === 1 ? 60 : 61),
      },
    }),
  });
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-1' });
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-2' });
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-2' });
});

test('uses the registration that was stored first if two register at the same time', async () => {
  const store = new MemoryAuthStore();
  const fast = wanting({ tools: { store }, answer: { body: { client_id: 'fast' } } });
  const slow = wanting({ tools: { store }, answer: { body: { client_id: 'slow' } } });
  slow.http.on(endpoint, async () => {
    await obtainClient(fast.request);
    return { body: { client_id: 'slow' } };
  });
  expect(await obtainClient(slow.request)).toMatchObject({ clientId: 'fast' });
  expect(await obtainClient(slow.request)).toMatchObject({ clientId: 'fast' });
});

test('gives up on a store that keeps changing, and ignores malformed entries', async () => {
  const restless: AuthStore = { get: () => undefined, swap: () => false };
  const { request } = wanting({ tools: { store: restless } });
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  await expect(obtainClient(request)).rejects.toMatchObject({ reason: 'storage' });
  for (const value of [
    {},
    { issuer: 'https://evil.example', clientId: 'x' },
    { issuer: 'https://auth.example', clientId: 7 },
  ]) {
    const store: AuthStore = { get: () => ({ value, version: '1' }), swap: () => true };
    expect(await obtainClient(wanting({ tools: { store } }).request)).toMatchObject({ clientId: 'made' });
  }
});

test('deletes an unknown client, and no other', async () => {
  const { request } = wanting({ answer: (count) => ({ body: { client_id: `made-${count}` } }) });
  await obtainClient(request);
  expect(await forgetRegistration(request, 'made-0')).toBe(true);
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-1' });
  expect(await forgetRegistration(request, 'made-1')).toBe(true);
  expect(await obtainClient(request)).toMatchObject({ clientId: 'made-2' });
  const byHand = { registered: [{ issuer: 'https://auth.example', clientId: 'own' }], dynamic };
  expect(await forgetRegistration({ ...request, identity: byHand }, 'own')).toBe(false);
  expect(await forgetRegistration({ ...request, identity: { metadataUrl, dynamic } }, metadataUrl)).toBe(
    false,
  );
  expect(await forgetRegistration({ ...request, identity: { metadataUrl } }, 'made-2')).toBe(false);
});

test('knownClient returns the client without registering it', async () => {
  const { request, http } = wanting();
  expect(await knownClient(request)).toBeUndefined();
  expect(http.requests).toEqual([]);
  await obtainClient(request);
  expect(await knownClient(request)).toMatchObject({ clientId: 'made' });
  expect(http.requests).toHaveLength(1);
  // A public client of an earlier registration, or of another program with this store.
  const noEndpoint = wanting({ server: { registrationEndpoint: undefined } });
  expect(await knownClient(noEndpoint.request, 'older')).toEqual({ clientId: 'older', authMethod: 'none' });
  const registered = [{ issuer: 'https://auth.example', clientId: 'own' }];
  expect(await knownClient(wanting({ identity: { registered, dynamic } }).request)).toEqual({
    clientId: 'own',
  });
  const documents = { clientIdMetadataDocuments: true };
  const documented = wanting({ identity: { metadataUrl, dynamic }, server: documents });
  expect(await knownClient(documented.request)).toMatchObject({ clientId: metadataUrl });
  expect(await knownClient(wanting({ identity: {} }).request)).toBeUndefined();
});
