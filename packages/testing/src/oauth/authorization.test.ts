import { afterEach, beforeEach, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import {
  authorizationUrl,
  authorize,
  exchange,
  publicClient,
  redirectUri,
  signIn,
} from '../../test/oauth-exchange.js';
import type { TestAuthorizationServer } from '../oauth.js';
import { startTestAuthorizationServer } from '../oauth.js';

let server: TestAuthorizationServer;

beforeEach(async () => {
  server = await startTestAuthorizationServer({ clients: [publicClient] });
});

afterEach(() => server.close());

test('redirects the browser at once, with code, state and issuer', async () => {
  shows('2026-07-28/basic/authorization/index/iss-included');
  const response = await fetch(authorizationUrl(server), { redirect: 'manual' });
  expect(response.status).toBe(302);
  const back = new URL(response.headers.get('location') ?? '');
  expect(back.origin + back.pathname).toBe(redirectUri);
  expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
  expect(back.searchParams.get('state')).toBe('a state');
  expect(back.searchParams.get('iss')).toBe(server.issuer);
});

test('keeps the query of the redirect URI', async () => {
  server.addClient({ clientId: 'desk', redirectUris: ['https://app.example/back?from=desk'] });
  const response = await authorize(server, { redirect_uri: 'https://app.example/back?from=desk' });
  expect(response.get('from')).toBe('desk');
  expect(response.get('code')).not.toBeNull();
});

test.each([
  ['a port of its own', 'http://127.0.0.1:51234/callback'],
  ['none', redirectUri],
])('accepts any port of a URI on this machine: %s', async (_name, uri) => {
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
])('does not redirect to an unregistered URI: %s', async (uri) => {
  shows(
    '2026-07-28/basic/authorization/client-registration/server-redirects',
    '2026-07-28/basic/authorization/security-considerations/redirects-exact',
    '2026-07-28/basic/authorization/security-considerations/redirects-untrusted',
    '2026-07-28/basic/authorization/security-considerations/redirects-automatic',
    '2026-07-28/basic/authorization/security-considerations/redirects-user',
  );
  const response = await fetch(authorizationUrl(server, { redirect_uri: uri }), { redirect: 'manual' });
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(await response.text()).toContain('is not a redirect URI of this client');
});

test('accepts a request without redirect_uri if only one is registered', async () => {
  expect((await authorize(server, { redirect_uri: undefined })).get('code')).not.toBeNull();
  server.addClient({ clientId: 'desk', redirectUris: [redirectUri, 'https://app.example/'] });
  const response = await fetch(authorizationUrl(server, { redirect_uri: undefined }), { redirect: 'manual' });
  expect(response.status).toBe(400);
});

test('shows an escaped error page for an unknown client', async () => {
  shows('2026-07-28/basic/authorization/security-considerations/redirects-user');
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
])('redirects %j with the error %s, state and issuer', async (changes, error) => {
  showsBy(error, { unsupported_response_type: '2026-07-28/basic/authorization/index/iss-included' });
  const response = await authorize(server, changes);
  expect(response.get('error')).toBe(error);
  expect(response.get('state')).toBe('a state');
  expect(response.get('iss')).toBe(server.issuer);
  expect(response.get('code')).toBeNull();
});

test('keeps a "?" in the value of a parameter', async () => {
  const response = await fetch(`${authorizationUrl(server, { state: undefined })}&state=why?&nonce=x`, {
    redirect: 'manual',
  });
  expect(new URL(response.headers.get('location') ?? '').searchParams.get('state')).toBe('why?');
  expect(server.requests.at(-1)?.params).toMatchObject({ state: 'why?', nonce: 'x' });
});

test('rejects a repeated parameter on an error page', async () => {
  const response = await fetch(authorizationUrl(server, { state: ['one', 'two'] }), { redirect: 'manual' });
  expect(response.status).toBe(400);
});

test.each([
  ['missing', null],
  ['https://evil.example', 'https://evil.example'],
])('sends %s as iss, in errors too', async (iss, expected) => {
  server.behave({ iss, user: 'deny' });
  const refusal = await authorize(server);
  expect(refusal.get('error')).toBe('access_denied');
  expect(refusal.get('iss')).toBe(expected);
  server.behave({ user: 'ada' });
  expect((await authorize(server)).get('iss')).toBe(expected);
});

test('sends a wrong state or none, as configured', async () => {
  server.behave({ state: 'another' });
  expect((await authorize(server)).get('state')).toBe('another');
  server.behave({ state: 'missing' });
  expect((await authorize(server)).get('state')).toBeNull();
  server.behave({ state: 'right' });
  expect((await authorize(server, { state: undefined })).get('state')).toBeNull();
});

test('chooses the user by the request', async () => {
  server.behave({ user: ({ scopes }) => (scopes.includes('admin') ? 'root' : 'deny') });
  expect((await authorize(server, { scope: 'read' })).get('error')).toBe('access_denied');
  const code = (await authorize(server, { scope: 'admin' })).get('code');
  const { body } = await exchange(server, code);
  expect(JSON.parse(atob(String(body.access_token).split('.')[1] ?? ''))).toMatchObject({ sub: 'root' });
});

test('limits scopes to those supported, allowed for the client, and granted by the test', async () => {
  shows('2026-07-28/security-best-practices/scopes-subset');
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

test('can require resource, and limit the known resources', async () => {
  server.behave({ resource: 'required', resources: ['https://mcp.example/mcp'] });
  expect((await authorize(server)).get('error')).toBe('invalid_target');
  expect((await authorize(server, { resource: 'https://other.example/' })).get('error')).toBe(
    'invalid_target',
  );
  expect((await authorize(server, { resource: 'https://mcp.example/mcp' })).get('code')).not.toBeNull();
});
