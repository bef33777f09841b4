import { jwtVerifier } from '@tenon/mcp-auth/server';
import type { JsonObject } from '@tenon/mcp-server';
import type { State } from '@tenon/mcp-state';
import { FakeClock } from '@tenon/mcp-testing';
import { startTestAuthorizationServer, type TestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { SharedMemory } from '@tenon/mcp-testing/state';
import { ClientSecretBasic, ClientSecretPost } from 'oauth4webapi';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CrowdedState } from '../../../test/crowded-state.js';
import { PageBrowser } from '../../../test/page-browser.js';
import { type ElicitationPages, elicitationPages } from './elicitation-pages.js';
import type { RefusedVisit } from './elicitation-pages-options.js';
import { type SignInOptions, signInAt } from './sign-in-visitors.js';
import type { PageVisit } from './visit.js';

const url = 'https://mcp.example/connect';
const resource = 'https://mcp.example/mcp';

let clock: FakeClock;
let server: TestAuthorizationServer;
let issuer: string;
let alice: { readonly id: string; readonly issuer: string };
let refused: RefusedVisit[];
let visits: PageVisit[];
let pages: ElicitationPages;

function make(options: Partial<SignInOptions> = {}, state?: State): ElicitationPages {
  return elicitationPages({
    url,
    visitors: signInAt({ issuer, clientId: 'pages', resource, verify: jwtVerifier(), ...options }),
    visit: (visit) => {
      visits.push(visit);
      return new Response('the page');
    },
    onRefused: (one) => refused.push(one),
    clock,
    ...(state && { state }),
  });
}

beforeEach(async () => {
  clock = new FakeClock();
  clock.stall(1_800_000_000_000);
  const redirectUris = [`${url}/signed-in`];
  server = await startTestAuthorizationServer({
    clients: [
      { clientId: 'pages', redirectUris },
      { clientId: 'secret-pages', clientSecret: 'a secret', redirectUris },
    ],
    now: () => clock.now(),
  });
  issuer = server.issuer;
  alice = { id: 'alice', issuer };
  refused = [];
  visits = [];
  pages = make();
});

afterEach(() => server.close());

function newBrowser(): PageBrowser {
  return new PageBrowser((request) => pages.handler(request));
}

function locationOf(response: Response): string {
  expect([302, 303]).toContain(response.status);
  return response.headers.get('location') ?? '';
}

async function reasonOf(response: Promise<Response>): Promise<string> {
  const { status } = await response;
  return `${status} ${refused.at(-1)?.reason}`;
}

/** Opens a page, signs in, and returns the redirect URL, which the browser has not opened yet. */
async function signedIn(user: string, browser: PageBrowser, page?: string): Promise<string> {
  const toSignIn = locationOf(await browser.open(page ?? (await pages.open({ auth: alice }))));
  server.behave({ user });
  return locationOf(await fetch(toSignIn, { redirect: 'manual' }));
}

/** Opens a URL, signs in if needed, and follows the redirects. */
async function openAs(user: string, address: string, browser: PageBrowser = newBrowser()): Promise<Response> {
  const toPage = locationOf(await browser.open(await signedIn(user, browser, address)));
  expect(toPage).toBe(address);
  return browser.open(toPage);
}

describe('signInAt', () => {
  it('opens the page for its user', async () => {
    const address = await pages.open({ auth: alice }, { what: 'api-key' });
    const response = await openAs('alice', address);
    expect([response.status, await response.text()]).toEqual([200, 'the page']);
    expect(visits).toMatchObject([{ step: 'opened', principal: alice, data: { what: 'api-key' } }]);
  });

  it('requests a code with PKCE and state, without the page in the URL', async () => {
    const address = await pages.open({ auth: alice });
    const asked = new URL(locationOf(await newBrowser().open(address)));
    expect(asked.origin + asked.pathname).toBe(`${issuer}/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'pages',
      redirect_uri: `${url}/signed-in`,
      resource,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(asked.href).not.toContain(new URL(address).searchParams.get('page'));
  });

  it.each([
    ['the header Authorization', ClientSecretBasic],
    ['the form', ClientSecretPost],
  ])('authenticates with a secret in %s', async (_what, authentication) => {
    pages = make({ clientId: 'secret-pages', clientAuth: authentication('a secret') });
    expect((await openAs('alice', await pages.open({ auth: alice }))).status).toBe(200);
    pages = make({ clientId: 'secret-pages', clientAuth: authentication('another secret') });
    const browser = newBrowser();
    expect(await reasonOf(browser.open(await signedIn('alice', browser)))).toBe('400 sign-in-failed');
  });

  it('finds the metadata of an OpenID provider', async () => {
    server.behave({ discovery: ['oidc-appended'] });
    expect((await openAs('alice', await pages.open({ auth: alice }))).status).toBe(200);
  });

  it('keeps the user signed in for ten minutes in this browser', async () => {
    const browser = newBrowser();
    await openAs('alice', await pages.open({ auth: alice }), browser);
    clock.stall(599_999);
    const next = await pages.open({ auth: alice });
    expect((await browser.open(next)).status).toBe(200);
    clock.stall(1);
    expect(locationOf(await browser.open(next))).toContain('/authorize');
  });

  it('rejects another signed-in user, and works in a private window', async () => {
    const address = await pages.open({ auth: alice });
    const browser = newBrowser();
    expect(await reasonOf(openAs('bob', address, browser))).toBe('403 another-user');
    expect(await reasonOf(browser.open(address))).toBe('403 another-user');
    expect((await openAs('alice', address)).status).toBe(200);
  });

  it('ignores an expired session that the store still has', async () => {
    pages = make({}, new CrowdedState().state);
    const browser = newBrowser();
    await openAs('alice', await pages.open({ auth: alice }), browser);
    clock.stall(600_000);
    expect(locationOf(await browser.open(await pages.open({ auth: alice })))).toContain('/authorize');
  });

  it('works in every process with the same state', async () => {
    const memory = new SharedMemory({ clock: clock });
    const processes = [make({}, memory.open()), make({}, memory.open())];
    let turn = 0;
    pages = processes[0]!;
    const browser = new PageBrowser((request) => processes[turn++ % 2]!.handler(request));
    expect((await openAs('alice', await pages.open({ auth: alice }), browser)).status).toBe(200);
    expect(turn).toBe(3);
  });
});

describe('signInAt against phishing', () => {
  it('rejects Bob on the page of Alice', async () => {
    const address = await pages.open({ auth: alice });
    expect(await reasonOf(openAs('bob', address))).toBe('403 another-user');
    expect(refused).toEqual([{ reason: 'another-user', owner: alice, visitor: { id: 'bob', issuer } }]);
    expect(visits).toEqual([]);
    expect((await openAs('alice', address)).status).toBe(200);
    expect(visits).toHaveLength(1);
  });

  it('rejects the response of Alice in the browser of Bob', async () => {
    const address = await pages.open({ auth: alice });
    const back = await signedIn('alice', newBrowser(), address);
    const bob = newBrowser();
    expect(await reasonOf(bob.open(back))).toBe('400 sign-in-failed');
    // Bob has started a sign-in too, and receives Alice's code with the state of Bob's sign-in.
    const mixed = new URL(await signedIn('bob', bob, address));
    const stolen = await signedIn('alice', newBrowser(), address);
    mixed.searchParams.set('code', new URL(stolen).searchParams.get('code') ?? '');
    expect(await reasonOf(bob.open(mixed.href))).toBe('400 sign-in-failed');
    expect(locationOf(await bob.open(address))).toContain('/authorize');
    expect(visits).toEqual([]);
  });

  it('rejects a response that was used before', async () => {
    const browser = newBrowser();
    const back = await signedIn('alice', browser);
    expect((await browser.open(back)).status).toBe(303);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
  });

  it('accepts a response once if it comes twice at the same time', async () => {
    const crowded = new CrowdedState();
    pages = make({}, crowded.state);
    const browser = newBrowser();
    const back = await signedIn('alice', browser);
    crowded.crowd(2);
    const answers = await Promise.all([browser.open(back), browser.open(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(refused.at(-1)).toMatchObject({ cause: { name: 'SignInError' } });
    expect(server.count('token')).toBe(1);
  });

  it.each([
    ['another issuer', 'https://evil.example'],
    ['the issuer with a trailing slash', 'slash'],
    ['no issuer although one is announced', 'missing'],
  ])('rejects a response with %s', async (_what, iss) => {
    server.behave({ iss: iss === 'slash' ? `${issuer}/` : iss });
    const browser = newBrowser();
    const back = await signedIn('alice', browser);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
    expect(server.count('token')).toBe(0);
  });

  it.each<[string, (claims: JsonObject) => JsonObject]>([
    ['for another server', (claims) => ({ ...claims, aud: 'https://other.example' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['without a caller', ({ sub: _sub, client_id: _id, ...claims }) => claims],
  ])('rejects a token %s', async (_what, claims) => {
    server.behave({ claims });
    const browser = newBrowser();
    const address = await pages.open({ auth: alice });
    const back = await signedIn('alice', browser, address);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
    expect(locationOf(await browser.open(address))).toContain('/authorize');
  });

  it.each(['', 'x', '__proto__', 'A'.repeat(43)])('rejects a response with the state %j', async (state) => {
    expect(await reasonOf(newBrowser().open(`${url}/signed-in?code=c&state=${state}&iss=${issuer}`))).toBe(
      '400 sign-in-failed',
    );
  });

  it('rejects an expired sign-in that the store still has', async () => {
    pages = make({}, new CrowdedState().state);
    const browser = newBrowser();
    const back = await signedIn('alice', browser);
    clock.stall(600_000);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
  });
});

describe('signInAt if the sign-in fails', () => {
  it('shows nothing of an error response to the user', async () => {
    const browser = newBrowser();
    const back = new URL(await signedIn('alice', browser));
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', '<script>alert(1)</script>');
    const response = await browser.open(back.href);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('script');
    expect(refused.at(-1)?.reason).toBe('sign-in-failed');
    expect(String(refused.at(-1)?.cause)).toMatch(/^SignInError: .*access_denied/);
    expect(String(refused.at(-1)?.cause)).not.toContain('script');
  });

  it.each<[string, (document: JsonObject) => JsonObject]>([
    ['has no PKCE', ({ code_challenge_methods_supported: _, ...others }) => others],
    ['has another issuer', (others) => ({ ...others, issuer: 'https://evil.example' })],
    ['has an issuer that differs in a slash', (others) => ({ ...others, issuer: `${others.issuer}/` })],
    ['has no authorization endpoint', ({ authorization_endpoint: _, ...others }) => others],
    [
      'has an endpoint without TLS',
      (others) => ({ ...others, authorization_endpoint: 'http://auth.example/' }),
    ],
    [
      'has an endpoint that is a script',
      (others) => ({ ...others, authorization_endpoint: 'javascript:alert(1)' }),
    ],
    ['is in a more private network', (others) => ({ ...others, token_endpoint: 'http://10.0.0.1/token' })],
  ])('does not redirect if the authorization server %s', async (_what, metadata) => {
    server.behave({ metadata });
    expect(await reasonOf(newBrowser().open(await pages.open({ auth: alice })))).toBe('400 sign-in-failed');
  });
});

it('stores and reveals no token', async () => {
  const state = new SharedMemory({ clock: clock }).open();
  const written = vi.spyOn(state.kv, 'compareAndSet');
  pages = make({}, state);
  const response = await openAs('alice', await pages.open({ auth: alice }));
  const all = JSON.stringify([written.mock.calls, [...response.headers], refused]);
  expect(all).toContain(String.raw`\"id\":\"alice\"`);
  expect(all).not.toContain('eyJ');
});

it('rejects invalid options', () => {
  const cases: readonly [object, string][] = [
    [{ issuer: 'http://auth.example' }, 'issuer must be'],
    [{ clientId: '' }, 'needs the clientId'],
    [{ clientId: undefined }, 'needs the clientId'],
    [{ resource: undefined }, 'needs the clientId'],
    [{ verify: undefined }, 'needs the clientId'],
    [{ sessionLifetime: 0 }, 'a positive number'],
  ];
  for (const [options, why] of cases) expect(() => make(options), why).toThrow(why);
});
