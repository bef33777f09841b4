import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { oauth } from '@tenon/mcp-auth/client';
import { type ClientOptions, connect, textOf } from '@tenon/mcp-client';
import {
  scriptedBrowser,
  startTestAuthorizationServer,
  type TestAuthorizationServer,
} from '@tenon/mcp-testing/oauth';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { OauthBrowser, type Send } from '../../test/oauth-browser.js';

const info = { name: 'test', version: '1.0.0' };
/** The address of programs without a port of their own. */
const resource = 'http://localhost/mcp';
const ends: (() => Promise<unknown>)[] = [];

let authorization: TestAuthorizationServer;

beforeEach(async () => {
  authorization = await startTestAuthorizationServer({ user: 'ada' });
  vi.stubEnv('ISSUER', authorization.issuer);
  vi.stubEnv('RESOURCE', resource);
  vi.stubEnv('PORT', '0');
  vi.resetModules();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(ends.splice(0).map((end) => end()));
  await authorization.close();
});

/** Connects a client that signs its user in by a browser. The client is closed after the test. */
async function signedIn(url: string, options: { send?: Send; dpop?: boolean } & Partial<ClientOptions> = {}) {
  const { send = fetch, dpop = false, ...others } = options;
  const scopes: string[] = [];
  const auth = oauth({
    client: { name: 'Test' },
    interaction: scriptedBrowser(),
    onEvent: (event) => event.type === 'signed-in' && scopes.push(event.scopes?.join(' ') ?? ''),
    fetch: (address, init) => send(String(address), init ?? {}),
    dpop,
  });
  const client = await connect(url, {
    info,
    auth,
    fetch: (address, init) => send(String(address), init ?? {}),
    ...others,
  });
  ends.push(() => client.close());
  const call = async (name: string, args = {}) => textOf((await client.callTool(name, args)).content);
  return { call, scopes };
}

/** Sends requests for localhost to the handler, and all others over the network. */
function through(handler: (request: Request) => Response | Promise<Response>): Send {
  return async (url, init) =>
    new URL(url).host === 'localhost' ? handler(new Request(url, init)) : fetch(url, init);
}

/** Calls a tool with a token, as plainly as can be. */
async function callWith(token: string, handler: (request: Request) => Promise<Response>) {
  const client = await connect(resource, {
    info,
    headers: { authorization: `Bearer ${token}` },
    fetch: through(handler) as typeof fetch,
  });
  const answer = await client.callTool('who');
  await client.close();
  return textOf(answer.content);
}

it('keeps a server for those with a token, and asks for another scope where a tool takes it', async () => {
  const { serving } = await import('./protect-server.js');
  ends.push(() => serving.close());
  await expect(connect(serving.url, { info })).rejects.toThrow('requires authorization (HTTP 401');
  const { call, scopes } = await signedIn(serving.url);
  expect(await call('read_note')).toBe('Nothing yet');
  expect(await call('save_note', { text: 'Buy milk' })).toBe('Saved for ada');
  expect(await call('read_note')).toBe('Buy milk');
  expect(scopes).toEqual(['notes:read', 'notes:read notes:write']);
});

it('takes scopes by arguments, and those that come with others for granted', async () => {
  const { handler } = await import('./protect-scopes.js');
  const { call, scopes } = await signedIn(resource, { send: through(handler) });
  expect(await call('save_note', { text: 'milk' })).toBe('Saved');
  expect(await call('save_note', { text: 'milk', shared: true })).toBe('Shared');
  expect(scopes).toEqual(['notes:read', 'notes:read notes:write', 'notes:read notes:write notes:share']);
  const token = await authorization.issueToken({ audience: resource, scopes: ['notes:all'] });
  const client = await connect(resource, {
    info,
    headers: { authorization: `Bearer ${token}` },
    fetch: through(handler) as typeof fetch,
  });
  ends.push(() => client.close());
  const { content } = await client.callTool('save_note', { text: 'milk', shared: true });
  expect(textOf(content)).toBe('Shared');
});

it('asks the authorization server about tokens that say nothing', async () => {
  authorization.addClient({ clientId: 'notes-server', clientSecret: 'a secret' });
  const { introspected } = await import('./protect-tokens.js');
  const token = await authorization.issueToken({ format: 'opaque', subject: 'ada', audience: resource });
  expect(await callWith(token, introspected)).toBe('ada');
  authorization.revoke(token);
  const other = await authorization.issueToken({ format: 'opaque', audience: 'https://elsewhere.example' });
  await expect(callWith(other, introspected)).rejects.toThrow('HTTP 401');
});

it('accepts its own tokens, and rejects its own tokens for another server', async () => {
  const { ticketed } = await import('./protect-tokens.js');
  expect(await callWith('ticket-of-ada', ticketed)).toBe('ada');
  await expect(callWith('ticket-for-elsewhere', ticketed)).rejects.toThrow('for another server');
  await expect(callWith('ticket-of-nobody', ticketed)).rejects.toThrow('HTTP 401');
});

it('takes tokens with a proof of their key, and none without', async () => {
  const { bound } = await import('./protect-tokens.js');
  const { call } = await signedIn(resource, { send: through(bound), dpop: true });
  expect(await call('who')).toBe('ada');
  const token = await authorization.issueToken({ subject: 'ada', audience: resource });
  await expect(callWith(token, bound)).rejects.toThrow('HTTP 401');
});

it('says who was turned away, and nothing of the token', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { audited } = await import('./protect-tokens.js');
  const token = await authorization.issueToken({ audience: 'https://elsewhere.example/mcp' });
  await expect(callWith(token, audited)).rejects.toThrow();
  expect(warn.mock.calls).toEqual([[401, '/mcp', 'unknown', 'The token is for another server.']]);
});

it('is protected inside of Express, documents included', async () => {
  // Where the application listens is known once it does; what it calls itself is said before.
  const { listening, stop } = await import('./protect-express.js');
  ends.push(stop);
  if (!listening.listening) await once(listening, 'listening');
  const at = `http://localhost:${(listening.address() as AddressInfo).port}`;
  const send = through(async ({ url, method, headers, body }) => {
    const answer = await fetch(at + new URL(url).pathname, { method, headers, body, duplex: 'half' });
    // It says nothing of where it came from, as if it had come from where it was asked for.
    return new Response(answer.body, answer);
  });
  const { call } = await signedIn(resource, { send });
  expect(await call('save_note', { name: 'milk', text: 'Buy milk' })).toBe('Saved milk for ada');
});

it('asks another server as itself', async () => {
  authorization.addClient({ clientId: 'digest', clientSecret: 'a secret' });
  const { serving } = await import('./protect-server.js');
  ends.push(() => serving.close());
  vi.stubEnv('UPSTREAM', serving.url);
  const { serving: downstream, stop } = await import('./protect-upstream.js');
  ends.push(stop);
  const { call } = await signedIn(downstream.url);
  expect(await call('digest')).toBe('Nothing yet, for ada');
  const granted = authorization.requests.filter(({ endpoint }) => endpoint === 'token');
  expect(granted.map(({ params }) => [params.grant_type, params.resource])).toEqual([
    ['client_credentials', serving.url],
    ['authorization_code', downstream.url],
  ]);
});

it('elicits a key on a page that opens only for the same user', async () => {
  vi.stubEnv('ORIGIN', 'http://localhost');
  authorization.addClient({
    clientId: 'key-pages',
    clientSecret: 'a secret',
    redirectUris: ['http://localhost/connect/signed-in'],
  });
  const { app } = await import('./protect-pages.js');
  const send = through((request) => app.fetch(request));
  const opened: string[] = [];
  const { call } = await signedIn(resource, {
    send,
    onElicitUrl: async ({ url }) => {
      opened.push(url);
      return { action: 'accept' };
    },
  });
  expect(await call('forecast')).toContain('There is no key yet');
  const [url = ''] = opened;

  authorization.behave({ user: 'eve' });
  const lured = await new OauthBrowser(send).open(url);
  expect(lured.response?.status).toBe(403);

  authorization.behave({ user: 'ada' });
  const browser = new OauthBrowser(send);
  const { response } = await browser.open(url);
  expect(await response?.text()).toContain('Your key');
  const done = await browser.request(url, {
    method: 'POST',
    headers: { origin: 'http://localhost', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ key: 'sk-of-ada' }),
  });
  expect(await done.text()).toContain('Done');
  expect(await call('forecast')).toBe('Sunny, says the owner of a key of 9 characters');
});
