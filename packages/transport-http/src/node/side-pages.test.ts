import { otherBounds } from '@tenon/foundation';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeApplication } from '../../test/fake-application.js';
import { FakeGuard } from '../../test/fake-guard.js';
import { listening } from '../../test/fake-listening.js';
import { post } from '../../test/raw-http.js';
import { type ListenOptions, listenHttp } from './listening.js';
import type { PageHandler } from './node-page.js';
import type { SidePages } from './side-pages.js';

/** Answers with a description of the request. */
const echo: PageHandler = async (request) => {
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = method === 'GET' ? undefined : await request.text();
  return Response.json({ method, path: pathname + search, cookie: headers.get('cookie'), body });
};

const pages = (handler: PageHandler = echo, paths = ['/connect', '/connect/*']): SidePages[] => [
  { paths, handler },
];

const formOf = (headers: Readonly<Record<string, string>>) =>
  post('a=1', headers).replace('/mcp', '/connect');

async function served(options: ListenOptions & Parameters<typeof listening>[0] = {}) {
  const { serving, open } = await listening({ pages: pages(), ...options });
  const { origin } = new URL(serving.url);
  const go = (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: 'manual', ...init });
  return { serving, origin, go, open };
}

describe('pages beside the endpoint', () => {
  it('are served only at their paths and below them', async () => {
    const { go } = await served();
    expect(await (await go('/connect?page=1', { headers: { cookie: 'a=b' } })).json()).toEqual({
      method: 'GET',
      path: '/connect?page=1',
      cookie: 'a=b',
    });
    expect(await (await go('/connect/return?state=2')).json()).toMatchObject({
      path: '/connect/return?state=2',
    });
    for (const path of ['/connected', '/', '/connect%2Freturn']) expect((await go(path)).status).toBe(404);
  });

  it('are public, also beside a guarded endpoint', async () => {
    const application = Object.assign(new FakeApplication(), { serverGuard: { guard: new FakeGuard() } });
    const serving = await listenHttp(application, { pages: [...pages(), ...pages(echo, ['/*'])] });
    onTestFinished(() => serving.close());
    const { origin } = new URL(serving.url);
    const statuses = ['/connect', '/any', '/mcp', '/.well-known/known', '/healthz'].map(
      async (path) => (await fetch(origin + path)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 401, 200, 200]);
    expect(await (await fetch(`${origin}/.well-known/known`)).json()).toEqual({ known: true });
  });

  it('receive forms, and answer with cookies, a status and a redirect', async () => {
    const handler: PageHandler = async (request) => {
      const headers = new Headers({
        location: '/done',
        'x-told': new URLSearchParams(await request.text()).get('key') ?? '',
      });
      headers.append('set-cookie', 'one=1');
      headers.append('set-cookie', 'two=2; HttpOnly');
      return new Response('moved', { status: 303, headers });
    };
    const { go, origin } = await served({ pages: pages(handler) });
    const answer = await go('/connect', {
      method: 'POST',
      body: new URLSearchParams({ key: 'caf\u00e9' }),
      headers: { origin },
    });
    expect([answer.status, await answer.text(), answer.headers.get('location')]).toEqual([
      303,
      'moved',
      '/done',
    ]);
    expect(answer.headers.get('x-told')).toBe('caf\u00e9');
    expect(answer.headers.getSetCookie()).toEqual(['one=1', 'two=2; HttpOnly']);
  });

  it('have a content length, also for HEAD', async () => {
    const { go } = await served({
      pages: pages(() => new Response('h\u00e4', { headers: { 'content-length': '99' } })),
    });
    const answers = [await go('/connect'), await go('/connect', { method: 'HEAD' })];
    expect(answers.map(({ headers }) => headers.get('content-length'))).toEqual(['3', '3']);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['h\u00e4', '']);
    const empty = await served({ pages: pages(() => new Response(null, { status: 204 })) });
    expect((await empty.go('/connect')).status).toBe(204);
  });

  it.each([
    ['a foreign host', { host: 'evil.example' }, 403],
    ['a page of another origin', { host: 'mcp.example', origin: 'https://evil.example' }, 403],
    ['a page with a hidden origin', { host: 'mcp.example', origin: 'null' }, 403],
    ['the page itself', { host: 'mcp.example', origin: 'https://mcp.example' }, 200],
    ['the page itself, with its port', { host: 'mcp.example:443', origin: 'https://mcp.example' }, 200],
    ['no page', { host: 'mcp.example' }, 200],
  ])('apply the rules of hosts and origins to a form from %s', async (_title, headers, status) => {
    const { open } = await listening({ pages: pages(), allowedHosts: ['mcp.example'] });
    const [answer] = await (await open()).write(formOf(headers)).count(1);
    expect(answer?.status).toBe(status);
  });

  it('accept their own forms if a proxy checks hosts', async () => {
    const { open } = await listening({ pages: pages(), allowedHosts: 'any' });
    const asked = async (headers: Readonly<Record<string, string>>) =>
      (await (await open()).write(formOf(headers)).count(1))[0]?.status;
    expect(await asked({ host: 'mcp.example', origin: 'https://mcp.example' })).toBe(200);
    expect(await asked({ host: 'mcp.example', origin: 'https://evil.example' })).toBe(403);
    expect(await asked({ host: 'mcp.example', origin: 'https://mcp.example:8443' })).toBe(403);
    expect(await asked({ host: 'a/b@c', origin: 'https://evil.example' })).toBe(403);
    expect(await asked({ host: 'a/b@c' })).toBe(400);
  });

  it('reject a body that is too long, or not text', async () => {
    const { go } = await served(otherBounds({ bodyBytes: 10 }));
    expect((await go('/connect', { method: 'POST', body: 'x'.repeat(10) })).status).toBe(200);
    expect((await go('/connect', { method: 'POST', body: 'x'.repeat(11) })).status).toBe(413);
    expect((await go('/connect', { method: 'POST', body: new Uint8Array([0xff]) })).status).toBe(400);
    const usual = await served();
    expect((await usual.go('/connect', { method: 'POST', body: 'x'.repeat(65_537) })).status).toBe(413);
  });

  const boom = new Error('secret detail');
  it.each<[string, PageHandler]>([
    [
      'throw',
      () => {
        throw boom;
      },
    ],
    ['reject', () => Promise.reject(boom)],
    ['return a response that cannot be sent', () => Response.error()],
    ['return nothing', () => undefined as never],
    ['break off', () => new Response(new ReadableStream({ start: (controller) => controller.error(boom) }))],
  ])('answer with a plain 500 and report the error when they %s', async (_title, handler) => {
    const errors: unknown[][] = [];
    const { go } = await served({ pages: pages(handler), onError: (...reported) => errors.push(reported) });
    const answer = await go('/connect');
    expect([answer.status, await answer.text()]).toEqual([500, 'This did not work.\n']);
    expect(errors).toEqual([[expect.any(Error), 'pages']]);
  });

  it('abort the request signal when the client disconnects', async () => {
    let heard = () => {};
    const aborted = new Promise<void>((resolve) => (heard = resolve));
    let asked = () => {};
    const begun = new Promise<void>((resolve) => (asked = resolve));
    const handler: PageHandler = ({ signal }) => {
      signal.addEventListener('abort', heard);
      asked();
      return new Promise(() => undefined);
    };
    const { open } = await listening({ pages: pages(handler) });
    const client = (await open()).write('GET /connect HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await begun;
    client.socket.destroy();
    await aborted;
  });

  it('finish before the server closes, and accept no further requests', async () => {
    const waiting: ((answer: Response) => void)[] = [];
    const handler: PageHandler = () => new Promise((resolve) => waiting.push(resolve));
    const { serving, go } = await served({ pages: pages(handler), limits: { drain: 60_000 } });
    const answer = go('/connect');
    await expect.poll(() => waiting.length).toBe(1);
    let drained = false;
    const draining = serving.drain().then(() => (drained = true));
    expect((await go('/connect')).status).toBe(503);
    expect(drained).toBe(false);
    waiting[0]?.(new Response('done'));
    expect(await (await answer).text()).toBe('done');
    await draining;
  });

  it('delay closing only up to the time limit', async () => {
    const asked: Request[] = [];
    const handler: PageHandler = (request) => {
      asked.push(request);
      return new Promise(() => undefined);
    };
    const { serving, go } = await served({ pages: pages(handler), limits: { drain: 20 } });
    const cutOff = expect(go('/connect')).rejects.toThrow();
    await expect.poll(() => asked.length).toBe(1);
    await serving.close();
    await cutOff;
  });

  it.each<[unknown, RegExp]>([
    [{}, /must be a list/],
    [[{}], /must have paths/],
    [[{ paths: [], handler: echo }], /must have paths/],
    [[{ paths: ['/a'] }], /and a handler/],
    [[{ paths: ['a'], handler: echo }], /"a" is not a valid path/],
    [[{ paths: ['/a*'], handler: echo }], /is not a valid path/],
    [[{ paths: ['/a/*/b'], handler: echo }], /is not a valid path/],
    [[{ paths: ['/a?b=1'], handler: echo }], /is not a valid path/],
    [[{ paths: [5], handler: echo }], /5 is not a valid path/],
    [[{ paths: ['/a', '/a'], handler: echo }], /have the path \/a/],
    [[{ paths: ['/mcp'], handler: echo }], /have the path \/mcp/],
    [[{ paths: ['/healthz'], handler: echo }], /health check/],
  ])('are rejected if they are invalid: %j', async (odd, message) => {
    await expect(listenHttp(new FakeApplication(), { pages: odd as never })).rejects.toThrow(message);
  });
});
