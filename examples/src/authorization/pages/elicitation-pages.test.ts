import type { Principal } from '@tenon/mcp-server';
import { FakeClock } from '@tenon/mcp-testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { CrowdedState } from '../../../test/crowded-state.js';
import { PageBrowser } from '../../../test/page-browser.js';
import { type ElicitationPages, elicitationPages } from './elicitation-pages.js';
import type { ElicitationPagesOptions, RefusedVisit } from './elicitation-pages-options.js';
import type { PageVisit } from './visit.js';

const url = 'https://mcp.example/connect';
const issuer = 'https://auth.example';
const alice: Principal = { id: 'alice', issuer };
const bob: Principal = { id: 'bob', issuer };
/** The same id from another issuer. */
const otherAlice: Principal = { id: 'alice', issuer: 'https://evil.example' };

/** The users of the application, by their session cookie. */
const sessions = new Map<string, Principal>([
  ['s-alice', alice],
  ['s-bob', bob],
  ['s-other-alice', otherAlice],
  ['s-nameless', { id: 'alice' }],
]);

let clock: FakeClock;
let refused: RefusedVisit[];
let visits: PageVisit[];
let errors: unknown[];
let show: (visit: PageVisit) => Response | Promise<Response>;
let pages: ElicitationPages;

function make(options: Partial<ElicitationPagesOptions> = {}): ElicitationPages {
  return elicitationPages({
    url,
    visitors: {
      identify: ({ request }) => {
        const session = /\bsession=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
        return sessions.get(session ?? '');
      },
    },
    visit: (visit) => {
      visits.push(visit);
      return show(visit);
    },
    onRefused: (one) => refused.push(one),
    onError: (error) => errors.push(error),
    clock,
    ...options,
  });
}

beforeEach(() => {
  clock = new FakeClock();
  clock.stall(1_800_000_000_000);
  refused = [];
  visits = [];
  errors = [];
  show = () => new Response('the page', { headers: { 'content-type': 'text/html' } });
  pages = make();
});

function browserOf(who?: 'alice' | 'bob' | 'other-alice' | 'nameless'): PageBrowser {
  return new PageBrowser(pages.handler, who === undefined ? {} : { session: `s-${who}` });
}

async function reasonOf(response: Promise<Response>): Promise<string> {
  const { status } = await response;
  return `${status} ${refused.at(-1)?.reason}`;
}

describe('ElicitationPages.open', () => {
  it('returns a URL that cannot be guessed and contains no user', async () => {
    const addresses = await Promise.all(
      [1, 2, 3].map(() => pages.open({ auth: alice }, { what: 'api-key' })),
    );
    for (const address of addresses)
      expect(address).toMatch(/^https:\/\/mcp\.example\/connect\?page=[\w-]{43}$/);
    expect(new Set(addresses).size).toBe(3);
  });

  it('requires an authenticated caller, and limits the data', async () => {
    await expect(pages.open({})).rejects.toThrow('this caller is not authenticated');
    await expect(pages.open({ auth: alice }, { text: 'x'.repeat(8_192) })).rejects.toThrow(RangeError);
  });
});

describe('ElicitationPages for the owner of a page', () => {
  it('shows the page, receives a form, and ends', async () => {
    const address = await pages.open({ auth: alice }, { what: 'api-key' });
    const browser = browserOf('alice');
    const response = await browser.open(address);
    expect([response.status, await response.text()]).toEqual([200, 'the page']);
    expect(visits[0]).toMatchObject({ step: 'opened', principal: alice, data: { what: 'api-key' } });
    const keys: unknown[] = [];
    show = async (visit) => {
      const key = (await visit.form()).get('key');
      if (await visit.finish()) keys.push([visit.principal.id, key]);
      return new Response('Done.');
    };
    expect((await browser.submit(address, { key: 'sk-1' })).status).toBe(200);
    expect(keys).toEqual([['alice', 'sk-1']]);
    expect(await reasonOf(browser.submit(address, { key: 'sk-2' }))).toBe('410 gone');
    expect(await reasonOf(browser.open(address))).toBe('410 gone');
    expect(keys).toHaveLength(1);
  });

  it('shows the page again in the same browser, but not in another', async () => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    expect((await browser.open(address)).status).toBe(200);
    expect((await browser.open(address)).status).toBe(200);
    expect(await reasonOf(browserOf('alice').open(address))).toBe('403 another-browser');
    expect(await reasonOf(browserOf('alice').submit(address, { key: 'x' }))).toBe('403 another-browser');
  });

  it('ends once if two forms come at the same time', async () => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    await browser.open(address);
    const ends: boolean[] = [];
    show = async (visit) => {
      ends.push(await visit.finish());
      return new Response('Done.');
    };
    await Promise.all([1, 2, 3].map(() => browser.submit(address, {})));
    expect(ends.filter((end) => end)).toHaveLength(1);
  });

  it('binds the page to one browser if several open it at the same time', async () => {
    const crowded = new CrowdedState();
    pages = make({ state: crowded.state });
    const address = await pages.open({ auth: alice });
    crowded.crowd(3);
    const answers = await Promise.all([1, 2, 3].map(() => browserOf('alice').open(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
    expect(visits).toHaveLength(1);
  });

  it('expires after ten minutes', async () => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    clock.stall(599_999);
    expect((await browser.open(address)).status).toBe(200);
    clock.stall(1);
    expect(await reasonOf(browser.open(address))).toBe('410 gone');
  });
});

describe('ElicitationPages against phishing', () => {
  it('rejects another user who receives the URL, without calling visit', async () => {
    const address = await pages.open({ auth: alice }, { what: 'connect' });
    expect(await reasonOf(browserOf('bob').open(address))).toBe('403 another-user');
    expect(refused).toEqual([{ reason: 'another-user', owner: alice, visitor: bob }]);
    expect(visits).toEqual([]);
    // The owner can still open it.
    expect((await browserOf('alice').open(address)).status).toBe(200);
  });

  it('rejects a user with the same id from another issuer, or without one', async () => {
    const address = await pages.open({ auth: alice });
    expect(await reasonOf(browserOf('other-alice').open(address))).toBe('403 another-user');
    expect(await reasonOf(browserOf('nameless').open(address))).toBe('403 another-user');
    const nameless = await pages.open({ auth: { id: 'alice' } });
    expect(await reasonOf(browserOf('alice').open(nameless))).toBe('403 another-user');
    expect(visits).toEqual([]);
  });

  it('rejects another user after the owner has opened the page', async () => {
    const address = await pages.open({ auth: alice });
    await browserOf('alice').open(address);
    expect(await reasonOf(browserOf('bob').open(address))).toBe('403 another-user');
    expect(await reasonOf(browserOf('bob').submit(address, { key: 'of bob' }))).toBe('403 another-user');
    expect(visits).toHaveLength(1);
  });

  it('rejects another user with the browser cookie of the owner', async () => {
    const address = await pages.open({ auth: alice });
    const attacker = browserOf('alice');
    await attacker.open(address);
    const victim = browserOf('bob');
    victim.cookies.set('__Host-mcp-browser', attacker.cookies.get('__Host-mcp-browser') ?? '');
    expect(await reasonOf(victim.submit(address, { key: 'of bob' }))).toBe('403 another-user');
  });

  it('rejects a URL that was changed', async () => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    const handle = new URL(address).searchParams.get('page') ?? '';
    const changed = (handle.startsWith('A') ? 'B' : 'A') + handle.slice(1);
    for (const page of [
      changed,
      '',
      handle.slice(1),
      `${handle}A`,
      '__proto__',
      `${handle}&page=${handle}`,
      '%00',
    ]) {
      expect(await reasonOf(browser.open(`${url}?page=${page}`)), page).toBe('410 gone');
    }
    expect(await reasonOf(browser.open(url))).toBe('410 gone');
    expect(visits).toEqual([]);
  });

  it('ignores a user in the query', async () => {
    const address = await pages.open({ auth: alice });
    for (const query of ['&user=alice', '&session=s-alice', '&sub=alice&iss=https://auth.example']) {
      expect(await reasonOf(browserOf().open(address + query))).toBe('403 not-identified');
    }
    expect(refused[0]).toEqual({ reason: 'not-identified', owner: alice });
    expect(visits).toEqual([]);
  });
});

describe('ElicitationPages with a form', () => {
  it.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { origin: 'https://blog.mcp.example', 'sec-fetch-site': 'same-site' }],
    ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['an old browser on another page', { origin: 'https://evil.example', 'sec-fetch-site': undefined }],
    ['an old browser on a page that hides its origin', { origin: 'null', 'sec-fetch-site': undefined }],
  ])('rejects a form from %s', async (_what, headers) => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    await browser.open(address);
    expect(await reasonOf(browser.submit(address, { key: 'x' }, headers))).toBe('403 cross-site');
    expect(visits).toHaveLength(1);
  });

  it('rejects a form before the page was opened', async () => {
    const address = await pages.open({ auth: alice });
    expect(await reasonOf(browserOf('alice').submit(address, { key: 'x' }))).toBe('403 another-browser');
    expect(visits).toEqual([]);
  });

  it('rejects a form that is too large or has another type', async () => {
    show = async (visit) => new Response(String(await visit.form()));
    pages = make({ formSize: 10 });
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    show = () => new Response('the page');
    await browser.open(address);
    show = async (visit) => new Response(String(await visit.form()));
    expect((await browser.submit(address, { key: 'long enough' })).status).toBe(413);
    expect(
      (
        await browser.open(address, {
          method: 'POST',
          body: '{}',
          headers: { 'sec-fetch-site': 'same-origin' },
        })
      ).status,
    ).toBe(415);
    expect(await (await browser.submit(address, { key: 'x' })).text()).toBe('key=x');
    expect(errors).toEqual([]);
  });
});

describe('ElicitationPages with a redirect to another site', () => {
  async function sent(): Promise<{ browser: PageBrowser; state: string }> {
    const browser = browserOf('alice');
    let state = '';
    show = async (visit) => {
      const expected = await visit.expectReturn();
      state = expected.state;
      expect(expected.redirectUri).toBe('https://mcp.example/connect/return');
      return Response.redirect(`https://third.example/authorize?state=${state}`, 303);
    };
    const response = await browser.open(await pages.open({ auth: alice }, { what: 'third' }));
    expect(response.status).toBe(303);
    show = async (visit) => new Response(`Ended: ${await visit.finish()}.`);
    return { browser, state };
  }

  it('returns to the page once', async () => {
    const { browser, state } = await sent();
    const back = `${url}/return?code=c&state=${state}`;
    expect(await (await browser.open(back, { headers: { 'sec-fetch-site': 'cross-site' } })).text()).toBe(
      'Ended: true.',
    );
    expect(visits.at(-1)).toMatchObject({ step: 'returned', principal: alice, data: { what: 'third' } });
    expect(await reasonOf(browser.open(back))).toBe('410 gone');
  });

  it('rejects another user or browser with the return URL', async () => {
    for (const other of ['bob', 'alice', undefined] as const) {
      const { state } = await sent();
      const count = visits.length;
      const reason = await reasonOf(browserOf(other).open(`${url}/return?code=c&state=${state}`));
      expect(reason).toBe(other === 'bob' ? '403 another-user' : '403 another-browser');
      expect(visits).toHaveLength(count);
    }
  });

  it.each(['', 'x', '__proto__', 'A'.repeat(43)])('rejects the state %j', async (state) => {
    const { browser } = await sent();
    expect(await reasonOf(browser.open(`${url}/return?state=${state}`))).toBe('410 gone');
  });
});

describe('ElicitationPages responses', () => {
  const hardened = {
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
  };

  it('prevent caching, frames, and referrers to other sites', async () => {
    shows('2026-07-28/security-best-practices/content-security-policy');
    const address = await pages.open({ auth: alice });
    const answers = [
      await browserOf('alice').open(address),
      await browserOf('bob').open(address),
      await browserOf().open(url),
    ];
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject(hardened);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.getSetCookie()).toEqual([
        expect.stringMatching(/^__Host-mcp-browser=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
      ]);
    }
  });

  it('contain no internal error', async () => {
    show = () => {
      throw new Error('The database password is hunter2.');
    };
    const response = await browserOf('alice').open(await pages.open({ auth: alice }));
    expect([response.status, await response.text()]).toEqual([500, 'This did not work. Try again later.']);
    expect(errors).toMatchObject([{ message: 'The database password is hunter2.' }]);
  });

  it('answer 404 for other paths, and 405 for other methods', async () => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    expect((await browser.open(`${url}/other`)).status).toBe(404);
    expect((await browser.open(`${url}/signed-in?code=x`)).status).toBe(404);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await browser.open(address, { method })).status).toBe(405);
    }
    expect((await browser.open(`${url}/return`, { method: 'POST' })).status).toBe(405);
    expect(visits).toEqual([]);
  });

  it('set a new cookie in place of a malformed one', async () => {
    const address = await pages.open({ auth: alice });
    for (const value of ['short', `${'A'.repeat(43)}; __Host-mcp-browser=${'B'.repeat(43)}`, '']) {
      const browser = browserOf('bob');
      browser.cookies.set('__Host-mcp-browser', value);
      expect((await browser.open(address)).headers.getSetCookie()).toHaveLength(1);
    }
  });
});

describe('ElicitationPages for an unknown user', () => {
  it('redirects to the sign-in of the application, and from there to the page', async () => {
    const asked: string[] = [];
    pages = make({
      visitors: {
        identify: () => undefined,
        signIn: (_visitor, page) => {
          asked.push(page.url.href);
          return Response.redirect('https://mcp.example/login', 302);
        },
      },
    });
    const address = await pages.open({ auth: alice });
    const host = { method: 'GET' };
    expect((await browserOf().open(address.replace('mcp.example', 'evil.example'), host)).status).toBe(302);
    // Independent of the host in the request.
    expect(asked).toEqual([address]);
    expect(await reasonOf(browserOf().open(`${url}?page=unknown`))).toBe('410 gone');
    expect(asked).toHaveLength(1);
  });
});

it('rejects invalid options', () => {
  const cases: readonly [object, string][] = [
    [{ url: 'http://mcp.example/connect' }, 'url must be an https address'],
    [{ url: 'https://mcp.example/connect?a=1' }, 'url must not have a query'],
    [{ visitors: undefined }, 'needs visitors'],
    [{ visitors: {} }, 'the result of signInAt()'],
    [{ visit: undefined }, 'needs visit'],
    [{ lifetime: 0 }, 'a positive number'],
  ];
  for (const [options, why] of cases) expect(() => make(options), why).toThrow(why);
});
