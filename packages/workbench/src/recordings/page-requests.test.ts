import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recordHttp } from './http-proxy.js';
import { replayHttp } from './replayed-server.js';

/** Returns a folder that is removed after the test. */
async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

type Headers = Readonly<Record<string, string>>;

/** A server that keeps the requests that arrive. */
async function upstream(
  answer: (
    path: string,
    port: number,
  ) => { status?: number; headers?: Headers; text?: string; isOpen?: boolean },
) {
  const seen: { method: string | undefined; path: string; authorization: string | undefined }[] = [];
  const server = createServer(({ method, url = '', headers: { authorization } }, response) => {
    seen.push({ method, path: url, authorization });
    const {
      status = 200,
      headers = {},
      isOpen = false,
      text = '{"jsonrpc":"2.0","id":1,"result":{}}',
    } = answer(url, port());
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).write(text);
    if (!isOpen) response.end();
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { seen, url: `http://127.0.0.1:${port()}/mcp` };
}

/** A proxy that adds a token. */
async function proxyTo(url: string) {
  const headers = { authorization: 'Bearer user-token' };
  const folder = await temporary();
  const proxy = await recordHttp({ file: join(folder, 'a.jsonl'), url, headers });
  onTestFinished(() => proxy.close());
  return proxy;
}

function send(
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: Headers; body?: string },
) {
  return new Promise<number | undefined>((done, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => done(answer.statusCode));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const plain = () => ({});

describe('a recording proxy with a header of the user', () => {
  it.each<[string, string, Headers]>([
    ['an image of another site', 'GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a frame of another port', 'GET', { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' }],
    ['HEAD from another site', 'HEAD', { 'sec-fetch-site': 'cross-site' }],
    ['a form of a page without an origin', 'POST', { origin: 'null' }],
    ['a page of another local port', 'POST', { origin: 'http://127.0.0.1:1' }],
    ['a page of another machine', 'POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a preflight', 'OPTIONS', { origin: 'https://evil.example' }],
    ['a name that means this machine', 'GET', { host: 'evil.example' }],
  ])('sends nothing to the server for %s', async (_, method, headers) => {
    const { seen, url } = await upstream(plain);
    const proxy = await proxyTo(url);
    for (const path of ['/mcp', '/account/delete?all=1']) {
      const status = await send(new URL(path, proxy.url).href, { method, headers });
      expect(status).toBe(403);
    }
    expect(seen).toEqual([]);
  });

  it.each<[string, Headers]>([
    ['an MCP client', {}],
    ['Node, which sends one of the headers of a browser', { 'sec-fetch-mode': 'cors' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
  ])('adds the header to a request of %s', async (_, headers) => {
    const { seen, url } = await upstream(plain);
    const proxy = await proxyTo(url);
    expect(await send(proxy.url, { method: 'POST', headers, body: ping })).toBe(200);
    expect(seen).toEqual([{ method: 'POST', path: '/mcp', authorization: 'Bearer user-token' }]);
  });

  it('adds the header to the path of the server alone', async () => {
    const { seen, url } = await upstream(plain);
    const proxy = await proxyTo(url);
    for (const path of ['/.well-known/oauth-protected-resource', '/mcp/other', '/mcp?a=1'])
      await send(new URL(path, proxy.url).href, {});
    expect(seen.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
      'Bearer user-token',
    ]);
  });

  it('adds the header to the endpoint that an event stream of the server names', async () => {
    const text = 'event: endpoint\ndata: /messages?session=1\n\n';
    const { seen, url } = await upstream((path) =>
      path === '/mcp' ? { headers: { 'content-type': 'text/event-stream' }, text, isOpen: true } : {},
    );
    const proxy = await proxyTo(url);
    const stream = await fetch(proxy.url);
    const reader = stream.body?.getReader();
    await reader?.read();
    await send(new URL('/messages?session=2', proxy.url).href, { method: 'POST', body: ping });
    await send(new URL('/messages?session=1', proxy.url).href, { method: 'POST', body: ping });
    expect(seen.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/mcp', 'Bearer user-token'],
      ['/messages?session=2', undefined],
      ['/messages?session=1', 'Bearer user-token'],
    ]);
  });

  it('follows no redirect to another origin', async () => {
    const other = await upstream(plain);
    const { seen, url } = await upstream(() => ({ status: 307, headers: { location: other.url } }));
    const proxy = await proxyTo(url);
    expect(await send(proxy.url, { method: 'POST', body: ping })).toBe(307);
    expect(seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });

  it('follows no redirect to the same port of another name of this machine', async () => {
    const { seen, url } = await upstream((path, port) =>
      path === '/mcp' ? { status: 308, headers: { location: `http://localhost:${port}/other` } } : {},
    );
    const proxy = await proxyTo(url);
    expect(await send(proxy.url, { method: 'POST', body: ping })).toBe(308);
    expect(seen.map(({ path }) => path)).toEqual(['/mcp']);
  });
});

describe('a played server', () => {
  it('is not disturbed by a page', async () => {
    const file = join(await temporary(), 'recorded.jsonl');
    const { url } = await upstream(plain);
    const proxy = await recordHttp({ file, url });
    await send(proxy.url, { method: 'POST', body: ping });
    await proxy.close();
    const replayed = await replayHttp({ file, port: 0 });
    const evil = { 'sec-fetch-site': 'cross-site' };
    expect(await send(replayed.url.replace('/mcp', '/sse'), { headers: evil })).toBe(403);
    expect(
      await send(replayed.url, {
        method: 'POST',
        headers: { ...evil, 'content-type': 'application/json' },
        body: ping,
      }),
    ).toBe(403);
    expect(await replayed.close()).toEqual({ connections: 0, problems: [] });
  });
});
