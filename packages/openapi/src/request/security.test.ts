import { expect, test } from 'vitest';
import { documentOf, serve, startApi } from '../../test/api.js';
import { fromOpenApi, type SecurityScheme } from '../index.js';

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  inQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  inCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  oauth: { type: 'oauth2', flows: {} },
  oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example' },
  tls: { type: 'mutualTLS' },
};

function secured(security: unknown, parameters: readonly object[] = []): object {
  const get = { operationId: 'get', security, parameters, responses: {} };
  return documentOf({ '/a': { get } }, { components: { securitySchemes } });
}

test.each([
  ['key', { 'x-key': 'secret' }, '/a'],
  ['inQuery', {}, '/a?api_key=secret'],
  ['inCookie', { cookie: 'sid=secret' }, '/a'],
  ['bearer', { authorization: 'Bearer secret' }, '/a'],
  ['basic', { authorization: 'Basic c2VjcmV0' }, '/a'],
  ['oauth', { authorization: 'Bearer secret' }, '/a'],
  ['oidc', { authorization: 'Bearer secret' }, '/a'],
])('sends the credential of the scheme %s', async (name, headers, url) => {
  const api = await startApi();
  const { call } = await serve(secured([{ [name]: [] }]), { baseUrl: api.url, auth: () => 'secret' });
  await call('get');
  expect(api.received).toMatchObject([{ headers, url }]);
});

test('tells auth the scheme, its scopes and the caller', async () => {
  const api = await startApi();
  const schemes: SecurityScheme[] = [];
  const auth = async ({
    scheme,
    ctx,
  }: {
    scheme: SecurityScheme;
    ctx: { client?: { name: string } | undefined };
  }) => {
    schemes.push(scheme);
    return ctx.client?.name;
  };
  const { call } = await serve(secured([{ oauth: ['read'], key: [] }]), { baseUrl: api.url, auth });
  await call('get');
  expect(schemes).toMatchObject([
    { name: 'oauth', type: 'oauth2', scopes: ['read'] },
    { name: 'key', type: 'apiKey', in: 'header', parameter: 'X-Key' },
  ]);
  expect(api.received).toMatchObject([{ headers: { 'x-key': 'test', authorization: 'Bearer test' } }]);
});

test('uses the first alternative with all of its credentials', async () => {
  const api = await startApi();
  const auth = ({ scheme: { name } }: { scheme: SecurityScheme }) => (name === 'key' ? undefined : name);
  const document = secured([{ key: [], bearer: [] }, { basic: [] }, {}]);
  const { call } = await serve(document, { baseUrl: api.url, auth });
  await call('get');
  expect(api.received[0]?.headers.authorization).toBe(`Basic ${btoa('basic')}`);
});

test('does not send a request without a credential that it needs', async () => {
  const api = await startApi();
  const { call } = await serve(secured([{ key: [] }]), { baseUrl: api.url, auth: () => undefined });
  expect(await call('get')).toBe(
    'error: The request was not sent: it needs a credential for "key", and there is none for this caller. Tell the user; do not call again.',
  );
  expect(api.received).toEqual([]);
  const optional = await serve(secured([{ key: [] }, {}]), { baseUrl: api.url, auth: () => undefined });
  await optional.call('get');
  expect(api.received).toHaveLength(1);
});

test('sends headers of the options, and no credentials without auth', async () => {
  const api = await startApi();
  const { call } = await serve(secured([{ key: [] }]), { baseUrl: api.url, headers: { 'X-Version': '2' } });
  await call('get');
  expect(api.received).toMatchObject([{ headers: { 'x-version': '2' } }]);
  expect(api.received[0]?.headers).not.toHaveProperty('x-key');
  expect(api.received[0]?.headers).not.toHaveProperty('authorization');
});

test('has no argument for the place of a credential', () => {
  const parameters = [
    { in: 'query', name: 'api_key', required: true, schema: { type: 'string' } },
    { in: 'query', name: 'q', schema: { type: 'string' } },
  ];
  const { tools } = fromOpenApi(secured([{ inQuery: [] }], parameters), { baseUrl: 'https://pets.example' });
  expect(tools[0]?.options.input).toMatchObject({ properties: { q: { type: 'string' } } });
  expect(tools[0]?.options.input).not.toHaveProperty('required');
});

test('skips an operation with an unknown security scheme, and leaves client certificates to fetch', () => {
  const options = { baseUrl: 'https://pets.example' };
  const { skipped } = fromOpenApi(secured([{ missing: [] }]), options);
  expect(skipped).toEqual([
    { method: 'GET', path: '/a', reason: 'the security scheme "missing" is not one that is known' },
  ]);
  expect(fromOpenApi(secured([{ tls: [] }]), options).tools).toHaveLength(1);
});

test('does not repeat a credential that the API repeats in its error', async () => {
  const api = await startApi();
  api.answer = { status: 401, body: { message: 'The key secret-key-1 is not valid' } };
  const { call } = await serve(secured([{ key: [] }]), { baseUrl: api.url, auth: () => 'secret-key-1' });
  const text = await call('get');
  expect(text).toContain('The key *** is not valid');
  expect(text).not.toContain('secret-key-1');
});

test('does not send a credential to another origin that the API redirects to', async () => {
  const [api, other] = [await startApi(), await startApi()];
  api.answer = { status: 302, headers: { location: `${other.url}/b` }, body: '' };
  const auth = () => 'secret';
  const { call } = await serve(secured([{ key: [], inCookie: [], bearer: [], inQuery: [] }]), {
    baseUrl: api.url,
    auth,
  });
  await call('get');
  expect(other.received).toHaveLength(1);
  expect(JSON.stringify([other.received[0]?.headers, other.received[0]?.url])).not.toContain('secret');
});
