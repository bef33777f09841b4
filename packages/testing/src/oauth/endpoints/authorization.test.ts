import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  authorizationUrl,
  authorize,
  exchange,
  publicClient,
  redirectUri,
  signIn,
} from '../../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../../oauth.js';
import { startTestAuthorizationServer } from '../../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient] });
});

afterEach(() => server.close());

test('the browser is sent back at once, with code, state and issuer', async () => {
  const response = await fetch(authorizationUrl(server), { redirect: 'manual' });
  expect(response.status).toBe(302);
  const back = new URL(response.headers.get('location') ?? '');
  expect(back.origin + back.pathname).toBe(redirectUri);
  expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
  expect(back.searchParams.get('state')).toBe('a state');
  expect(back.searchParams.get('iss')).toBe(server.issuer);
});

test('a query that the redirect URI has stays', async () => {
  server.addClient({ clientId: 'desk', redirectUris: ['https://app.example/back?from=desk'] });
  const response = await authorize(server, { redirect_uri: 'https://app.example/back?from=desk' });
  expect(response.get('from')).toBe('desk');
  expect(response.get('code')).not.toBeNull();
});

test.each([
  ['a port of its own', 'http://127.0.0.1:51234/callback'],
  ['none', redirectUri],
])('of an address on this machine any port will do: %s', async (_name, uri) => {
  expect((await authorize(server, { redirect_uri: uri })).get('code')).not.toBeNull();
});

test.each([
  ['http://127.0.0.1:51234/callback/'],
  ['http://127.0.0.1:51234/other'],
  ['http://127.0.0.1/callback?x=1'],
  ['http://localhost/callback'],
  ['https://127.0.0.1/callback'],
  ['http://127.0.0.1.evil.example/callback'],
  ['http://127.0.0.1:80@evil.example/callback'],
  ['https://evil.example/callback'],
])('the browser is sent nowhere that is not registered: %s', async (uri) => {
  const response = await fetch(authorizationUrl(server, { redirect_uri: uri }), { redirect: 'manual' });
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(await response.text()).toContain('is no redirect URI of this client');
});

test('redirect_uri may be left out where only one is registered', async () => {
  expect((await authorize(server, { redirect_uri: undefined })).get('code')).not.toBeNull();
  server.addClient({ clientId: 'desk', redirectUris: [redirectUri, 'https://app.example/'] });
  const response = await fetch(authorizationUrl(server, { redirect_uri: undefined }), { redirect: 'manual' });
  expect(response.status).toBe(400);
});

test('an unknown client gets a page, whose text is harmless', async () => {
  const response = await fetch(authorizationUrl(server, { client_id: '<script>' }), { redirect: 'manual' });
  expect(response.status).toBe(400);
  const page = await response.text();
  expect(page).toContain('invalid_client');
  expect(page).not.toContain('<script>');
});

test.each([
  [{ response_type: 'token' }, 'unsupported_response_type'],
  [{ code_challenge: undefined }, 'invalid_request'],
  [{ code_challenge_method: 'plain' }, 'invalid_request'],
  [{ code_challenge_method: undefined }, 'invalid_request'],
  [{ code_challenge: 'short' }, 'invalid_request'],
  [{ resource: 'no uri' }, 'invalid_target'],
  [{ resource: 'https://mcp.example/#part' }, 'invalid_target'],
])('%j is told to the client as %s, with state and issuer', async (changes, error) => {
  const response = await authorize(server, changes);
  expect(response.get('error')).toBe(error);
  expect(response.get('state')).toBe('a state');
  expect(response.get('iss')).toBe(server.issuer);
  expect(response.get('code')).toBeNull();
});

test('a question mark in a parameter belongs to it', async () => {
  const response = await fetch(`${authorizationUrl(server, { state: undefined })}&state=why?&nonce=x`, {
    redirect: 'manual',
  });
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('state')).toBe('why?');
  expect(server.requests.at(-1)?.params).toMatchObject({ state: 'why?', nonce: 'x' });
});

test('a parameter that is repeated is refused on a page', async () => {
  const response = await fetch(authorizationUrl(server, { state: ['one', 'two'] }), { redirect: 'manual' });
  expect(response.status).toBe(400);
});

test.each([
  ['missing', null],
  ['https://evil.example', 'https://evil.example'],
])('iss is %s where a test wants it, in errors too', async (iss, expected) => {
  server.behave({ iss, user: 'deny' });
  const refusal = await authorize(server);
  expect(refusal.get('error')).toBe('access_denied');
  expect(refusal.get('iss')).toBe(expected);
  server.behave({ user: 'ada' });
  expect((await authorize(server)).get('iss')).toBe(expected);
});

test('state can be wrong or missing where a test wants it', async () => {
  server.behave({ state: 'another' });
  expect((await authorize(server)).get('state')).toBe('another');
  server.behave({ state: 'missing' });
  expect((await authorize(server)).get('state')).toBeNull();
  server.behave({ state: 'right' });
  expect((await authorize(server, { state: undefined })).get('state')).toBeNull();
});

test('who signs in may depend on the request', async () => {
  server.behave({ user: ({ scopes }) => (scopes.includes('admin') ? 'root' : 'deny') });
  expect((await authorize(server, { scope: 'read' })).get('error')).toBe('access_denied');
  const code = (await authorize(server, { scope: 'admin' })).get('code');
  const { body } = await exchange(server, code);
  expect(JSON.parse(atob(String(body.access_token).split('.')[1] ?? ''))).toMatchObject({ sub: 'root' });
});

test('scopes are those there are, those a client may have, and those a test leaves', async () => {
  server.behave({ scopesSupported: ['read', 'write', 'admin'] });
  expect(await signIn(server, { scope: 'read write other' })).toMatchObject({ scope: 'read write' });
  expect((await authorize(server, { scope: 'other' })).get('error')).toBe('invalid_scope');
  expect(await signIn(server)).not.toHaveProperty('scope');
  server.addClient({ ...publicClient, scopes: ['read', 'admin'] });
  expect(await signIn(server, { scope: 'read write' })).toMatchObject({ scope: 'read' });
  server.behave({
    grantScopes: (scopes, { user }) => (user === 'user' ? scopes.filter((one) => one !== 'admin') : []),
  });
  expect(await signIn(server, { scope: 'read admin' })).toMatchObject({ scope: 'read' });
});

test('resource can be required, and the resources there are can be told', async () => {
  server.behave({ resource: 'required', resources: ['https://mcp.example/mcp'] });
  expect((await authorize(server)).get('error')).toBe('invalid_target');
  expect((await authorize(server, { resource: 'https://other.example/' })).get('error')).toBe(
    'invalid_target',
  );
  expect((await authorize(server, { resource: 'https://mcp.example/mcp' })).get('code')).not.toBeNull();
});
