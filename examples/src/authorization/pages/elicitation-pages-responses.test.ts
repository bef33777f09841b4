import type { Principal } from '@tenon/mcp-server';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PageBrowser } from '../../../test/page-browser.js';
import { type ElicitationPages, elicitationPages } from './elicitation-pages.js';
import type { ElicitationPagesOptions, RefusedVisit } from './elicitation-pages-options.js';

const alice: Principal = { id: 'alice', issuer: 'https://auth.example' };
const bob: Principal = { ...alice, id: 'bob' };

let errors: unknown[];
let refused: RefusedVisit[];
let show: () => Response;
let pages: ElicitationPages;

function make(options: Partial<ElicitationPagesOptions> = {}): ElicitationPages {
  return elicitationPages({
    url: 'https://mcp.example/connect',
    visitors: {
      identify: ({ request }) => (request.headers.get('cookie')?.includes('session=s-alice') ? alice : bob),
    },
    visit: () => show(),
    onRefused: (one) => refused.push(one),
    onError: (error) => errors.push(error),
    ...options,
  });
}

beforeEach(() => {
  errors = [];
  refused = [];
  show = () => new Response('the page', { headers: { 'content-type': 'text/html' } });
  pages = make();
});

function browserOf(who: 'alice' | 'bob'): PageBrowser {
  return new PageBrowser(pages.handler, { session: `s-${who}` });
}

async function reasonOf(response: Promise<Response>): Promise<string> {
  const { status } = await response;
  return `${status} ${refused.at(-1)?.reason}`;
}

describe('ElicitationPages with a form', () => {
  it.each([
    ['that hides its origin', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    ['that sends neither header', { origin: undefined, 'sec-fetch-site': undefined }],
    ['that sends only Origin', { origin: 'https://mcp.example', 'sec-fetch-site': undefined }],
  ])('accepts the form of a browser %s', async (_what, headers) => {
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    await browser.open(address);
    expect((await browser.submit(address, { key: 'x' }, headers)).status).toBe(200);
  });
});

describe('ElicitationPages responses', () => {
  it.each([
    ['nothing', undefined],
    ['a string', 'a text'],
    ['an error response', Response.error()],
  ])('answer 500 if visit returns %s', async (_what, given) => {
    show = () => given as never;
    const response = await browserOf('alice').open(await pages.open({ auth: alice }));
    expect([response.status, response.headers.get('cache-control')]).toEqual([500, 'no-store']);
    expect(errors).toEqual([expect.any(Error)]);
  });

  it('are sent even if onRefused rejects', async () => {
    const away = () => Promise.reject(new Error('The audit is away.'));
    pages = make({ onRefused: away });
    expect((await browserOf('bob').open(await pages.open({ auth: alice }))).status).toBe(403);
    await expect.poll(() => errors).toEqual([new Error('The audit is away.')]);
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = () => {
      throw new Error('The log is full.');
    };
    pages = make({ onRefused: broken, onError: broken });
    expect((await browserOf('bob').open(await pages.open({ auth: alice }))).status).toBe(500);
    expect(written).toHaveBeenCalledWith(new Error('The log is full.'));
    written.mockRestore();
  });
});

describe('ElicitationPages on this machine, without TLS', () => {
  it('identifies a browser by a cookie without prefix', async () => {
    pages = make({ url: 'http://localhost:3000/connect' });
    const address = await pages.open({ auth: alice });
    const browser = browserOf('alice');
    // Most browsers ignore a cookie there that begins with __Host- or is Secure.
    const [cookie] = (await browser.open(address)).headers.getSetCookie();
    expect(cookie).toMatch(/^mcp-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await browser.submit(address, { key: 'x' })).status).toBe(200);
    expect(await reasonOf(browserOf('alice').open(address))).toBe('403 another-browser');
  });
});

it('paths contains the path of the URL, and the paths below it', () => {
  expect(pages.paths).toEqual(['/connect', '/connect/*']);
  expect(make({ url: 'https://mcp.example/a/b/' }).paths).toEqual(['/a/b/', '/a/b/*']);
  expect(make({ url: 'https://mcp.example' }).paths).toEqual(['/', '/*']);
});
