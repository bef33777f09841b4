import { generateKeyPair, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { FakeHttp, fakeServer } from '../../test/client/fake-authorization.js';
import { allTextsOf, failureOf, formOf, grantTools, someDay } from '../../test/client/grant-tools.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { ClientCredentialsGrant } from './client-credentials.js';
import type { PinnedCredentials } from './pinned-grant.js';

const resource = 'https://mcp.example/mcp';
const clientSecret = 'secret-4711';
const { privateKey, publicKey } = await generateKeyPair('ES256');

function setUp(credentials: Partial<PinnedCredentials>, answer: object = {}) {
  const grant = new ClientCredentialsGrant({ owner: 'clientCredentials()', clientId: 'c-1', ...credentials });
  const http = new FakeHttp(() => ({
    body: { access_token: 'at-1', token_type: 'Bearer', expires_in: 60, ...answer },
  }));
  const tools = grantTools(http);
  const obtain = async (server: AuthorizationServer, scopes?: readonly string[]) =>
    grant.obtain({ server, resource, scopes }, await grant.client(server, tools), tools);
  return { grant, http, tools, obtain };
}

const basic = fakeServer({ tokenEndpointAuthMethods: ['client_secret_basic'] });

it('requests a token with the scopes and the resource (RFC 6749, 4.4; RFC 8707)', async () => {
  const { grant, http, obtain } = setUp({ clientSecret });
  expect(grant).toMatchObject({ type: 'client_credentials', interactive: false });
  expect(await obtain(basic, ['a', 'b'])).toMatchObject({
    accessToken: 'at-1',
    expiresAt: someDay + 60_000,
    requested: ['a', 'b'],
    issuer: basic.issuer,
    clientId: 'c-1',
  });
  expect(http.sent.map((sent) => sent.url.href)).toEqual(['https://auth.example/token']);
  expect(formOf(http.sent[0])).toEqual({ grant_type: 'client_credentials', scope: 'a b', resource });
  expect(http.sent[0]?.headers?.authorization).toBe(`Basic ${btoa(`c-1:${clientSecret}`)}`);
});

it('authenticates with a key, and adds the client id for servers that find the key by it', async () => {
  const { http, obtain } = setUp({ key: { key: privateKey }, clientSecret });
  await obtain(fakeServer({ tokenEndpointAuthMethods: ['client_secret_basic', 'private_key_jwt'] }));
  const { client_assertion = '', ...rest } = formOf(http.sent[0]);
  expect(rest).toEqual({
    grant_type: 'client_credentials',
    resource,
    client_id: 'c-1',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
  const { payload } = await jwtVerify(client_assertion, publicKey, {
    audience: 'https://auth.example',
    currentDate: new Date(someDay),
  });
  expect(payload).toMatchObject({ iss: 'c-1', sub: 'c-1' });
  expect(JSON.stringify(http.sent)).not.toContain(clientSecret);
});

it('drops the refresh token', async () => {
  const { obtain } = setUp({ clientSecret }, { refresh_token: 'rt-1' });
  expect((await obtain(basic)).refreshToken).toBeUndefined();
});

it.each([[['none']], [['private_key_jwt']], [['tls_client_auth', 'none']], [[]]])(
  'sends nothing to a server that accepts only %j',
  async (tokenEndpointAuthMethods) => {
    const { http, obtain } = setUp({ clientSecret });
    const error = await failureOf(obtain(fakeServer({ tokenEndpointAuthMethods })));
    expect(error).toMatchObject({ name: 'AuthError', reason: 'unsupported' });
    expect(allTextsOf(error)).not.toContain(clientSecret);
    expect(http.sent).toEqual([]);
  },
);

it('sends its secret only to the configured issuer', async () => {
  const { http, obtain } = setUp({ clientSecret, issuer: 'https://auth.example' });
  const evil = fakeServer({
    issuer: 'https://evil.example',
    tokenEndpointAuthMethods: ['client_secret_basic'],
  });
  const error = await failureOf(obtain(evil));
  expect(error).toMatchObject({ name: 'AuthError', reason: 'not-registered' });
  expect(allTextsOf(error)).not.toContain(clientSecret);
  expect(http.sent).toEqual([]);
  await obtain(basic);
  expect(http.sent).toHaveLength(1);
});

it('sends its secret only to the first issuer if none is configured', async () => {
  const { http, obtain } = setUp({ clientSecret });
  await obtain(basic);
  const other = fakeServer({
    issuer: 'https://other.example',
    tokenEndpointAuthMethods: ['client_secret_basic'],
  });
  expect(await failureOf(obtain(other))).toMatchObject({ reason: 'not-registered' });
  await obtain(basic);
  expect(http.sent.map(({ url }) => url.origin)).toEqual(['https://auth.example', 'https://auth.example']);
});
