import type { State } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { CrowdedState } from '../../test/server/crowded-state.js';
import { PageBrowser } from '../../test/server/page-browser.js';
import { SignInServer } from '../../test/server/sign-in-server.js';
import { type TestRealm, testIssuer, testRealm, testResource } from '../../test/server/token-realm.js';
import { jwtVerifier } from '../verifiers/jwt-verifier.js';
import { type ElicitationPages, elicitationPages } from './elicitation-pages.js';
import type { RefusedVisit } from './elicitation-pages-options.js';
import { type SignInOptions, signInAt } from './sign-in-visitors.js';
import type { PageVisit } from './visit.js';

const url = 'https://mcp.example/connect';
const alice = { id: 'alice', issuer: testIssuer };

let realm: TestRealm;
let server: SignInServer;
let refused: RefusedVisit[];
let visits: PageVisit[];
let pages: ElicitationPages;

function make(options: Partial<SignInOptions> = {}, state?: State): ElicitationPages {
  return elicitationPages({
    url,
    visitors: signInAt({
      issuer: testIssuer,
      client: { clientId: 'pages' },
      resource: testResource,
      verify: jwtVerifier({ issuers: [{ issuer: testIssuer, jwks: { keys: [server.signer.jwk] } }] }),
      http: server.http,
      ...options,
    }),
    visit: (visit) => {
      visits.push(visit);
      return new Response('the page');
    },
    onRefused: (one) => refused.push(one),
    clock: realm.clock,
    ...(state && { state }),
  });
}

beforeEach(async () => {
  realm = testRealm();
  server = await SignInServer.start(realm);
  refused = [];
  visits = [];
  pages = make();
});

function newBrowser(): PageBrowser {
  return new PageBrowser((request) => pages.handler(request));
}

function locationOf(response: Response): string {
  expect(response.status).toBe(303);
  return response.headers.get('location') ?? '';
}

async function reasonOf(response: Promise<Response>): Promise<string> {
  const { status } = await response;
  return `${status} ${refused.at(-1)?.reason}`;
}

/** Opens a URL, signs in if needed, and follows the redirects. */
async function openAs(user: string, address: string, browser: PageBrowser = newBrowser()): Promise<Response> {
  const toSignIn = locationOf(await browser.open(address));
  const toPage = locationOf(await browser.open(server.signIn(toSignIn, user)));
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
    expect(asked.origin + asked.pathname).toBe(`${testIssuer}/authorize`);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'pages',
      redirect_uri: `${url}/signed-in`,
      resource: testResource,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(asked.href).not.toContain(new URL(address).searchParams.get('page'));
  });

  it('keeps the user signed in for ten minutes in this browser', async () => {
    const browser = newBrowser();
    await openAs('alice', await pages.open({ auth: alice }), browser);
    realm.clock.stall(599_999);
    const next = await pages.open({ auth: alice });
    expect((await browser.open(next)).status).toBe(200);
    realm.clock.stall(1);
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
    realm.clock.stall(600_000);
    expect(locationOf(await browser.open(await pages.open({ auth: alice })))).toContain('/authorize');
  });

  it('works in every process with the same state', async () => {
    const memory = new SharedMemory({ clock: realm.clock });
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
    expect(refused).toEqual([
      { reason: 'another-user', owner: alice, visitor: { id: 'bob', issuer: testIssuer } },
    ]);
    expect(visits).toEqual([]);
    expect((await openAs('alice', address)).status).toBe(200);
    expect(visits).toHaveLength(1);
  });

  it('rejects the response of Alice in the browser of Bob', async () => {
    const address = await pages.open({ auth: alice });
    const back = server.signIn(locationOf(await newBrowser().open(address)), 'alice');
    const bob = newBrowser();
    expect(await reasonOf(bob.open(back))).toBe('400 sign-in-failed');
    // Bob has started a sign-in too, and receives Alice's code with the state of Bob's sign-in.
    const own = locationOf(await bob.open(address));
    const mixed = new URL(server.signIn(own, 'bob'));
    const stolen = server.signIn(locationOf(await newBrowser().open(address)), 'alice');
    mixed.searchParams.set('code', new URL(stolen).searchParams.get('code') ?? '');
    expect(await reasonOf(bob.open(mixed.href))).toBe('400 sign-in-failed');
    expect(locationOf(await bob.open(address))).toContain('/authorize');
    expect(visits).toEqual([]);
  });

  it('rejects a response that was used before', async () => {
    const browser = newBrowser();
    const back = server.signIn(locationOf(await browser.open(await pages.open({ auth: alice }))), 'alice');
    expect((await browser.open(back)).status).toBe(303);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
  });

  it('accepts a response once if it comes twice at the same time', async () => {
    const crowded = new CrowdedState();
    pages = make({}, crowded.state);
    const browser = newBrowser();
    const back = server.signIn(locationOf(await browser.open(await pages.open({ auth: alice }))), 'alice');
    crowded.crowd(2);
    const answers = await Promise.all([browser.open(back), browser.open(back)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
    expect(refused.at(-1)).toMatchObject({ cause: { reason: 'bad-response' } });
    expect(server.http.count(`${testIssuer}/token`)).toBe(1);
  });

  it.each([
    ['another issuer', 'https://evil.example'],
    ['the issuer with a trailing slash', `${testIssuer}/`],
    ['no issuer although one is announced', undefined],
  ])('rejects a response with %s', async (_what, iss) => {
    server.iss = iss;
    const browser = newBrowser();
    const address = await pages.open({ auth: alice });
    const back = server.signIn(locationOf(await browser.open(address)), 'alice');
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
    expect(server.http.count(`${testIssuer}/token`)).toBe(0);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['for another server', { aud: 'https://other.example' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without a caller', { sub: undefined, client_id: undefined }],
  ])('rejects a token %s', async (_what, claims) => {
    server.claims = claims;
    const browser = newBrowser();
    const address = await pages.open({ auth: alice });
    const back = server.signIn(locationOf(await browser.open(address)), 'alice');
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
    expect(locationOf(await browser.open(address))).toContain('/authorize');
  });

  it.each(['', 'x', '__proto__', 'A'.repeat(43)])('rejects a response with the state %j', async (state) => {
    expect(
      await reasonOf(newBrowser().open(`${url}/signed-in?code=c&state=${state}&iss=${testIssuer}`)),
    ).toBe('400 sign-in-failed');
  });

  it('rejects an expired sign-in that the store still has', async () => {
    pages = make({}, new CrowdedState().state);
    const browser = newBrowser();
    const back = server.signIn(locationOf(await browser.open(await pages.open({ auth: alice }))), 'alice');
    realm.clock.stall(600_000);
    expect(await reasonOf(browser.open(back))).toBe('400 sign-in-failed');
  });
});

describe('signInAt if the sign-in fails', () => {
  it('shows nothing of an error response to the user', async () => {
    const browser = newBrowser();
    const back = new URL(
      server.signIn(locationOf(await browser.open(await pages.open({ auth: alice }))), 'alice'),
    );
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', '<script>alert(1)</script>');
    const response = await browser.open(back.href);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('script');
    expect(refused.at(-1)).toMatchObject({ reason: 'sign-in-failed', cause: { reason: 'denied' } });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['has no PKCE', { code_challenge_methods_supported: undefined }],
    ['has another issuer', { issuer: 'https://evil.example' }],
    ['has no authorization endpoint', { authorization_endpoint: undefined }],
  ])('does not redirect if the authorization server %s', async (_what, changed) => {
    server.metadata(changed);
    pages = make();
    expect(await reasonOf(newBrowser().open(await pages.open({ auth: alice })))).toBe('400 sign-in-failed');
  });
});

it('stores and reveals no token', async () => {
  const state = new SharedMemory({ clock: realm.clock }).open();
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
    [{ client: {} }, 'needs a client'],
    [{ client: undefined }, 'needs a client'],
    [{ resource: undefined }, 'needs a client'],
    [{ verify: undefined }, 'needs a client'],
    [{ sessionLifetime: 0 }, 'a positive number'],
    [{ clientId: 'x' }, 'no option "clientId"'],
  ];
  for (const [options, why] of cases) expect(() => make(options), why).toThrow(why);
});
