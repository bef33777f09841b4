import { request } from 'node:http';
import { connect } from '@tenon/mcp-client';
import { SharedMemory } from '@tenon/mcp-testing/state';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shows, showsBy } from '../../../tooling/suite/shows.js';
import { callAlone, type Endpoint, framesOf, next, post, textOf, WireSession } from '../../test/wire.js';

const ada = { authorization: 'Bearer token-of-ada' };
const bob = { authorization: 'Bearer token-of-bob' };
const ends: (() => Promise<unknown>)[] = [];

/** Returns the address of a server, which is closed after the test. */
function reached(serving: { readonly url: string; close(): Promise<unknown> }, headers = {}): Endpoint {
  ends.push(() => serving.close());
  const url = new URL(serving.url);
  url.hostname = '127.0.0.1';
  return { url: url.href, send: fetch, headers };
}

/** Returns the status of a POST with its own `host` header. */
function statusFor(url: string, given: { readonly host: string; readonly authorization?: string }) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...given,
  };
  return new Promise<number | undefined>((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end('{}');
  });
}

beforeEach(() => {
  vi.stubEnv('PORT', '0');
  vi.resetModules();
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(ends.splice(0).map((end) => end()));
});

it('lets pages of one origin send calls, read the session id and read the sign-in challenge', async () => {
  const { serving } = await import('./cors.js');
  const { url } = reached(serving);
  const origin = 'https://app.example.com';
  const asked = 'authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-param-region';
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, POST, DELETE');
  const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ') ?? [];
  for (const name of asked.split(', ')) expect(allowed).toContain(name);

  const stranger = await post({ url, send: fetch, headers: { origin } }, { id: 1, method: 'ping' });
  expect(stranger.status).toBe(401);
  expect(stranger.headers.get('access-control-allow-origin')).toBe(origin);
  expect(stranger.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');

  const elsewhere = { url, send: fetch, headers: { origin: 'https://other.example.com', ...ada } };
  expect((await post(elsewhere, { id: 1, method: 'ping' })).status).toBe(403);
  await WireSession.open({ url, send: fetch, headers: { origin, ...ada } });
});

it('answers to its own name alone, and to those who are signed in', async () => {
  shows('2026-07-28/basic/transports/streamable-http/authenticate', '2026-07-28/index/access-controls');
  vi.stubEnv('HOST', '127.0.0.1');
  vi.stubEnv('HOST_NAME', 'notes.test');
  const { serving } = await import('./public.js');
  const { url } = reached(serving);
  expect(await statusFor(url, { host: 'notes.test' })).toBe(401);
  expect(await statusFor(url, { host: 'rebound.example', ...ada })).toBe(403);
});

it('keeps callers apart behind a middleware, and a session to its own', async () => {
  shows('2026-07-28/server/tools/access-controls');
  const { listening, stop } = await import('./express.js');
  await new Promise((resolve) => listening.once('listening', resolve));
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('Express listens nowhere.');
  ends.push(stop);
  const url = `http://127.0.0.1:${address.port}/mcp`;
  const mine = await WireSession.open({ url, send: fetch, headers: ada });
  const theirs = mine.at({ url, send: fetch, headers: bob });
  expect((await theirs.call('count_words', { names: [] })).status).toBe(404);
  expect((await mine.call('count_words', { names: [] })).status).toBe(200);
  expect((await post({ url, send: fetch }, { id: 1, method: 'ping' })).status).toBe(401);
  expect(await statusFor(url, { host: 'rebound.example', ...ada })).toBe(403);
});

it('continues a session and answers an input request at another process that shares the state', async () => {
  const { serveShared } = await import('./stores.js');
  const memory = new SharedMemory();
  const first = reached(await serveShared(memory.open(), 0));
  const second = reached(await serveShared(memory.open(), 0));
  const opened = await WireSession.open(first);
  const session = opened.at(second);
  const saved = framesOf(await session.call('save_note', { name: 'milk', text: 'Buy milk' }));
  const question = await next(saved);
  expect(question.method).toBe('elicitation/create');
  await opened.post({ id: question.id, result: { action: 'decline' } });
  expect(textOf(await next(saved))).toBe('Kept milk');
});

it('answers sessions with one JSON body where that is asked for', async () => {
  const { jsonOnly, sessionless } = await import('./plain.js');
  reached(sessionless);
  const session = await WireSession.open(reached(jsonOnly));
  const saved = await session.call('save_note', { name: 'milk', text: 'Buy milk' });
  expect(saved.headers.get('content-type')).toBe('application/json');
  expect(textOf(await next(framesOf(saved)))).toBe('Saved milk for everybody');
  const again = await session.call('save_note', { name: 'milk', text: 'Buy oat milk' });
  expect(again.headers.get('content-type')).toBe('application/json');
  expect((await next(framesOf(again))).result).toMatchObject({ isError: true });
});

it('answers each request on its own where there are no sessions', async () => {
  const { jsonOnly, sessionless } = await import('./plain.js');
  reached(jsonOnly);
  const endpoint = reached(sessionless);
  await expect(WireSession.open(endpoint)).rejects.toThrow('No session: 200');
  const message = {
    id: 1,
    method: 'tools/call',
    params: { name: 'count_words', arguments: { names: ['a'] } },
  };
  const counted = await post(endpoint, message, { 'mcp-protocol-version': '2025-11-25' });
  expect(textOf(await next(framesOf(counted)))).toBe('0 words');
  expect((await fetch(endpoint.url)).status).toBe(405);
});

it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'greets a client that speaks %s from the shortest server there is',
  async (revision) => {
    showsBy(revision, {
      '2025-11-25': '2026-07-28/basic/versioning/legacy-with-dual',
      '2026-07-28': '2026-07-28/basic/versioning/dual-era-server',
    });
    const { serving } = await import('../outside/http-server.js');
    const { url } = reached(serving);
    const info = { name: 'test', version: '1.0.0' };
    const client = await connect(url, { info, revision });
    const { content } = await client.callTool('greet', { name: 'world' });
    await client.close();
    expect(content).toEqual([{ type: 'text', text: 'Hello, world!' }]);
  },
);

it('serves the oldest transport beside the endpoint', async () => {
  shows('2026-07-28/basic/transports/streamable-http/sse-beside');
  const { serving } = await import('./older.js');
  const { url } = reached(serving);
  const leaving = new AbortController();
  const stream = await fetch(new URL('/sse', url), { signal: leaving.signal });
  const first = await stream.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toMatch(/^event: endpoint\ndata: \/messages\?/);
  leaving.abort();
  await WireSession.open({ url, send: fetch });
});

it('runs in workers that share nothing but a key', async () => {
  shows('2026-07-28/basic/index/no-same-connection');
  const env = { STATE_KEY: Buffer.alloc(32, 7).toString('base64') };
  const worker = async (): Promise<Endpoint> => {
    vi.resetModules();
    const { default: module } = await import('../recipes/worker.js');
    const send: Endpoint['send'] = (url, init) => module.fetch(new Request(url, init), env);
    return { url: 'https://greeter.example.workers.dev/mcp', send };
  };
  const asked = await next(framesOf(await callAlone(await worker(), { name: 'greet' })));
  expect(asked.result).toMatchObject({ resultType: 'input_required' });
  const more = {
    inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } },
    requestState: asked.result?.requestState,
  };
  const greeted = await next(framesOf(await callAlone(await worker(), { name: 'greet', more })));
  expect(textOf(greeted)).toBe('Hello, Ada!');
});

it('serves the numbers of a server on a port of its own', async () => {
  vi.stubEnv('METRICS_PORT', '0');
  const { serving, metrics } = await import('./metrics.js');
  ends.push(() => metrics.close());
  const endpoint = reached(serving);
  expect(textOf(await next(framesOf(await callAlone(endpoint, { name: 'price' }))))).toBe('3.20');
  const page = await (await fetch(metrics.url)).text();
  expect(page).toMatch(/tenon_requests_total\{method="tools\/call",name="price",outcome="ok",.*\} 1\n/);
});
