import { jwtVerifier } from '@tenon/mcp-auth/server';
import type { Server } from '@tenon/mcp-server';
import { type ElicitationPages, elicitationPages } from 'examples/authorization/pages/elicitation-pages';
import type { RefusedVisit } from 'examples/authorization/pages/elicitation-pages-options';
import { signInAt } from 'examples/authorization/pages/sign-in-visitors';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { counted } from '../../hostile-server/counted.js';
import { PageVisitor } from './page-visitor.js';
import { handshake, Scene, stateless } from './scene.js';

const address = 'https://pages.example/ask';

let scene: Scene;
let pages: ElicitationPages;
let refused: RefusedVisit[];
let errors: unknown[];
/** The users and their actions on the page. */
let visits: string[];

beforeEach(async () => {
  scene = await Scene.open(stateless);
  const { issuer, clock, place } = scene;
  const clientId = 'pages';
  issuer.addClient({ clientId, redirectUris: [`${address}/signed-in`] });
  [refused, errors, visits] = [[], [], []];
  pages = elicitationPages({
    url: address,
    clock,
    visitors: signInAt({ issuer: issuer.issuer, clientId, resource: place.resource, verify: jwtVerifier() }),
    onRefused: (one) => refused.push(one),
    onError: (error) => errors.push(error),
    visit: async ({ step, principal, data, form, finish }) => {
      if (step === 'submitted') await form();
      const isDone = step === 'submitted' && (await finish());
      visits.push(`${principal.id} ${step}${isDone ? ', and is done' : ''}`);
      return new Response(`${principal.id} of ${data.what}`);
    },
  });
});
afterEach(async () => {
  expect(errors).toEqual([]);
  scene.events.push(...(refused as never[]));
  await scene.close();
});

const visitor = (name: string) => new PageVisitor(name, pages.handler, scene.issuer);
const pageFor = (id: string, issuer: string = scene.issuer.issuer) =>
  pages.open({ auth: { id, issuer } }, { what: 'the secret question' });

/** No page was shown and no action done, with this reason. */
async function expectTurnedAway(
  response: Response,
  reason: RefusedVisit['reason'] | undefined,
): Promise<void> {
  expect(refused.at(-1)?.reason).toBe(reason);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await response.text()).not.toContain('secret question');
  expect(response.headers.get('x-frame-options')).toBe('DENY');
  expect(visits.filter((visit) => !visit.startsWith('ada'))).toEqual([]);
}

let cases = 0;
const row = (name: string, body: () => Promise<void>) => {
  cases++;
  it(name, body);
};

describe('an elicitation page for one user', () => {
  row('is shown to that user, and done by that user', async () => {
    const url = await pageFor('ada');
    const ada = visitor('ada');
    expect(await (await ada.open(url)).text()).toBe('ada of the secret question');
    expect((await ada.submit(url)).status).toBe(200);
    expect(visits).toEqual(['ada opened', 'ada submitted, and is done']);
  });

  row('is not shown to another user, and is there for the right one after that', async () => {
    const url = await pageFor('ada');
    await expectTurnedAway(await visitor('eve').open(url), 'another-user');
    expect(await (await visitor('ada').open(url)).text()).toBe('ada of the secret question');
  });

  row('is not done by another user, to whom its address was sent', async () => {
    const url = await pageFor('ada');
    const eve = visitor('eve');
    await eve.open(await pageFor('eve'));
    visits.length = 0;
    await expectTurnedAway(await eve.submit(url), 'another-user');
  });

  row('is not done by a user for somebody who sends him the address', async () => {
    // Ada's action on the page would count for Eve.
    const ada = visitor('ada');
    await expectTurnedAway(await ada.open(await pageFor('eve')), 'another-user');
    await expectTurnedAway(await ada.submit(await pageFor('eve')), 'another-user');
    expect(visits).toEqual([]);
  });

  row('is not shown to a user of that name at another issuer', async () => {
    const url = await pageFor('ada', scene.thief.origin);
    await expectTurnedAway(await visitor('ada').open(url), 'another-user');
    expect(visits).toEqual([]);
  });

  row('is made for nobody whom nobody vouches for', async () => {
    await expect(pages.open({}, {})).rejects.toThrow(/not authenticated/);
  });

  row('works only in the browser that opened it', async () => {
    const url = await pageFor('ada');
    await visitor('ada').open(url);
    const other = visitor('ada');
    await expectTurnedAway(await other.open(url), 'another-browser');
    await expectTurnedAway(await other.submit(url), 'another-browser');
    expect(visits).toEqual(['ada opened']);
  });

  row('opens in one of two browsers that open it at the same time', async () => {
    const url = await pageFor('ada');
    const both = [visitor('ada'), visitor('ada')];
    for (const ada of both) await ada.open(await pageFor('ada'));
    visits.length = 0;
    const answers = await Promise.all(both.map((ada) => ada.open(url)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(visits).toEqual(['ada opened']);
  });

  row('accepts no action before it was opened', async () => {
    const ada = visitor('ada');
    await ada.open(await pageFor('ada'));
    await expectTurnedAway(await ada.submit(await pageFor('ada')), 'another-browser');
  });

  row('accepts one of several actions at the same time', async () => {
    const url = await pageFor('ada');
    const ada = visitor('ada');
    await ada.open(url);
    await Promise.all(Array.from({ length: 10 }, () => ada.submit(url)));
    expect(visits.filter((visit) => visit.includes('done'))).toHaveLength(1);
    await expectTurnedAway(await ada.open(url), 'gone');
  });

  row('is gone when its time is over', async () => {
    const url = await pageFor('ada');
    await scene.clock.advance(600_000);
    await expectTurnedAway(await visitor('ada').open(url), 'gone');
  });
});

const changed: readonly (readonly [string, (url: URL) => void])[] = [
  ['cut', (url) => url.searchParams.set('page', url.searchParams.get('page')?.slice(0, -1) ?? '')],
  ['in capitals', (url) => url.searchParams.set('page', url.searchParams.get('page')?.toUpperCase() ?? '')],
  ['twice', (url) => url.searchParams.append('page', url.searchParams.get('page') ?? '')],
  ['missing', (url) => url.searchParams.delete('page')],
  ['empty', (url) => url.searchParams.set('page', '')],
  ['of letters', (url) => url.searchParams.set('page', 'A'.repeat(43))],
  ['an address', (url) => url.searchParams.set('page', 'https://evil.example/')],
  ['of a hundred thousand characters', (url) => url.searchParams.set('page', 'A'.repeat(100_000))],
  ['a member of objects', (url) => url.searchParams.set('page', '__proto__')],
];

describe('the URL of a page', () => {
  cases += changed.length;
  it.each(changed)('%s opens no page and does not redirect', async (_name, change) => {
    const url = new URL(await pageFor('ada'));
    change(url);
    const ada = visitor('ada');
    await expectTurnedAway(await ada.open(url), 'gone');
    expect(ada.sent).toEqual([]);
  });

  row('leads to the authorization server and back, whatever the request calls this host', async () => {
    const url = new URL(await pageFor('ada'));
    const ada = visitor('ada');
    for (const name of ['next', 'redirect', 'redirect_uri', 'return_to'])
      url.searchParams.set(name, 'https://evil.example/');
    url.host = 'evil.example';
    await ada.request(url, { headers: { 'x-forwarded-host': 'evil.example', host: 'evil.example' } });
    const [location = ''] = ada.sent;
    expect(new URL(location).origin).toBe(scene.issuer.origin);
    expect(new URL(location).searchParams.get('redirect_uri')).toBe(`${address}/signed-in`);
    const back = await ada.comeBack(new URL(location));
    await ada.request(back);
    expect(ada.sent[1]).toBe(await page(url));
  });

  const page = async (url: URL) => `${address}?page=${url.searchParams.get('page')}`;
});

describe('a form of a page', () => {
  const headers: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'http://pages.example' },
    { origin: 'https://pages.example.evil.example' },
  ];
  cases += headers.length;
  it.each(headers.map((one) => [JSON.stringify(one), one] as const))(
    'is not sent from elsewhere: %s',
    async (_name, one) => {
      const url = await pageFor('ada');
      const ada = visitor('ada');
      await ada.open(url);
      await expectTurnedAway(await ada.submit(url, one), 'cross-site');
      expect(visits).toEqual(['ada opened']);
    },
  );

  row('is rejected when it is too large', async () => {
    const url = await pageFor('ada');
    const ada = visitor('ada');
    await ada.open(url);
    const response = await ada.request(url, {
      method: 'POST',
      body: new URLSearchParams({ a: 'x'.repeat(100_000) }),
    });
    expect(response.status).toBe(413);
  });
});

/** Starts a sign-in. Returns the redirect URL. */
async function begin(who: PageVisitor): Promise<URL> {
  await who.request(await pageFor(who.name));
  return who.comeBack(new URL(who.sent.at(-1) ?? ''));
}

const responses: readonly (readonly [string, (back: URL) => void])[] = [
  ['of another issuer', (back) => back.searchParams.set('iss', 'https://evil.example')],
  ['of nobody', (back) => back.searchParams.delete('iss')],
  ['with another state', (back) => back.searchParams.set('state', 'A'.repeat(43))],
  ['with no state', (back) => back.searchParams.delete('state')],
  ['with two states', (back) => back.searchParams.append('state', 'x')],
  ['with no code', (back) => back.searchParams.delete('code')],
  ['with a code of nobody', (back) => back.searchParams.set('code', 'x')],
  [
    'with an error',
    (back) => {
      back.searchParams.delete('code');
      back.searchParams.set('error', 'access_denied');
    },
  ],
];

describe('sign-in for a page', () => {
  cases += responses.length;
  it.each(responses)('rejects a response %s', async (_name, change) => {
    const ada = visitor('ada');
    const back = await begin(ada);
    change(back);
    await expectTurnedAway(await ada.request(back), 'sign-in-failed');
    expect(visits).toEqual([]);
  });

  row('does not make somebody else of whoever is sent the way back of another', async () => {
    const back = await begin(visitor('eve'));
    const ada = visitor('ada');
    await expectTurnedAway(await ada.request(back), 'sign-in-failed');
    expect(await (await ada.open(await pageFor('ada'))).text()).toBe('ada of the secret question');
  });

  row('works once', async () => {
    const ada = visitor('ada');
    const back = await begin(ada);
    expect((await ada.request(back)).status).toBe(303);
    await expectTurnedAway(await ada.request(back), 'sign-in-failed');
  });

  row('does not work with a token for another server', async () => {
    scene.behave({ resource: 'ignored', audience: 'https://other.example' });
    const ada = visitor('ada');
    await expectTurnedAway(await ada.open(await pageFor('ada')), 'sign-in-failed');
    expect(visits).toEqual([]);
  });

  row('does not work with a cookie that the browser made up', async () => {
    const url = await pageFor('ada');
    for (const cookie of [
      '__Host-mcp-browser=x',
      `__Host-mcp-browser=${'A'.repeat(43)}`,
      'mcp-browser=ada; user=ada',
    ]) {
      const response = await pages.handler(new Request(url, { method: 'POST', headers: { cookie } }));
      expect(response.status).toBeGreaterThanOrEqual(400);
    }
    expect(visits).toEqual([]);
  });
});

describe('an elicitation page of a server', () => {
  for (const way of [stateless, handshake]) {
    row(`is not answered by another user (${way.name})`, async () => {
      const asking = await Scene.open(way);
      let finished = false;
      (asking.place.notes.server as Server).tool('pay', {}, async (_, ctx) => {
        const url = await ctx.once('page', () =>
          pages.open(
            { auth: { ...ctx.auth, id: 'ada', issuer: scene.issuer.issuer } },
            { what: 'the secret question' },
          ),
        );
        await ctx.elicitUrl('pay', { message: 'Pay', url });
        return visits.some((visit) => visit.includes('done')) ? 'paid' : 'not paid';
      });
      let opened: Response | undefined;
      const client = await asking.connect(asking.url, asking.auth, {
        onElicitUrl: async ({ url }) => {
          opened = await visitor('eve').open(url);
          finished = true;
          return { action: 'accept' };
        },
      });
      const { content } = await client.callTool('pay');
      expect({ content, finished }).toMatchObject({ content: [{ text: 'not paid' }], finished: true });
      await expectTurnedAway(opened as Response, 'another-user');
      await asking.close();
    });
  }
});
counted('pages that are for somebody else', () => cases);
