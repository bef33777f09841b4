import { expect, test } from 'vitest';
import { fakeServer } from '../../test/fake-authorization.js';
import { failureOf, grantTools, someDay } from '../../test/grant-tools.js';
import { type Scripted, ScriptedHttp } from '../../test/scripted-http.js';
import type { AuthStore } from './auth-store.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { ClientIdentity } from './client-identity.js';
import type { GrantTools } from './grant.js';
import { MemoryAuthStore } from './memory-store.js';
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

/** A client that wants to sign in, and what its registration endpoint was told. */
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
  const told = () => http.requests.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>);
  return { request, http, told };
}

test('a client that was registered by hand at this issuer is used, and nothing else is tried', async () => {
  const registered = [
    { issuer: 'https://other.example', clientId: 'other' },
    { issuer: 'https://auth.example', clientId: 'own', clientSecret: 's3cret' },
  ];
  const identity = { registered, metadataUrl, dynamic };
  const { request, http } = wanting({ identity, server: { clientIdMetadataDocuments: true } });
  expect(await obtainClient(request)).toEqual({ clientId: 'own', clientSecret: 's3cret' });
  expect(http.requests).toEqual([]);
});

test('a client that was registered by hand elsewhere is not used: the error names both', async () => {
  const issuers = ['https://auth.example/', 'https://other.example', 'https://AUTH.example'];
  const registered = issuers.map((issuer) => ({ issuer, clientId: 'other', clientSecret: 's3cret' }));
  const { request, http } = wanting({ identity: { registered } });
  const failure = await failureOf(obtainClient(request));
  expect(failure).toMatchObject({
    reason: 'not-registered',
    message:
      'The client is not registered at https://auth.example: it was registered by hand at https://auth.example/, https://other.example, https://AUTH.example, and is not used elsewhere; it does not register by itself. Register it there by hand, and give its id with that issuer.',
  });
  expect(http.requests).toEqual([]);
});

test('the metadata document is the id wherever that is taken, and comes before registering', async () => {
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

test('a metadata document with a key is used where keys are taken, or where there is no other way', async () => {
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

test('a client that can be had in no way is told what there was', async () => {
  const { request } = wanting({
    identity: { metadataUrl, dynamic },
    server: { registrationEndpoint: undefined },
  });
  await expect(obtainClient(request)).rejects.toMatchObject({
    reason: 'not-registered',
    message: expect.stringContaining(
      'the server takes no metadata documents of clients; the server lets no client register by itself',
    ),
  });
});

test('a client registers with all it says of itself', async () => {
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
  const { request, http, told } = wanting({ identity });
  expect(await obtainClient(request)).toEqual({ clientId: 'made', authMethod: 'none' });
  expect(told()).toEqual([
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

test('what is asked for is what the server has', async () => {
  const asked = async (server: Partial<AuthorizationServer>, answer: Scripted) => {
    const { request, told } = wanting({ server, answer });
    await obtainClient(request);
    return told()[0];
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

test('what was registered is kept, and used again by whoever shares the store', async () => {
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

test('it is used with no other issuer, for no other way back, and under no other name', async () => {
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

test('a client whose secret has expired, or is about to, registers anew', async () => {
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

test('of two that register at once, the slower one uses what the faster one registered', async () => {
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

test('a store that never settles ends in an error, and what somebody else wrote into it is not trusted', async () => {
  const restless: AuthStore = { get: () => undefined, swap: () => false };
  const { request } = wanting({ tools: { store: restless } });
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

test('a client that is not known any more is forgotten, and only that one', async () => {
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

test('what is known of a client is told without registering it', async () => {
  const { request, http } = wanting();
  expect(await knownClient(request)).toBeUndefined();
  expect(http.requests).toEqual([]);
  await obtainClient(request);
  expect(await knownClient(request)).toMatchObject({ clientId: 'made' });
  expect(http.requests).toHaveLength(1);
  const registered = [{ issuer: 'https://auth.example', clientId: 'own' }];
  expect(await knownClient(wanting({ identity: { registered, dynamic } }).request)).toEqual({
    clientId: 'own',
  });
  const documents = { clientIdMetadataDocuments: true };
  const documented = wanting({ identity: { metadataUrl, dynamic }, server: documents });
  expect(await knownClient(documented.request)).toMatchObject({ clientId: metadataUrl });
  expect(await knownClient(wanting({ identity: {} }).request)).toBeUndefined();
});
