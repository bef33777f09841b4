import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { HttpPeer } from '../test/http-peer.js';
import {
  everyRevision,
  handshakeRevisions,
  latestStateless,
  type WireMessage,
  WirePeer,
} from '../test/wire-peer.js';
import { WordGuard } from '../test/word-guard.js';
import { toFetchHandler } from './fetch.js';
import { createHandles } from './handles/handles.js';
import { serveHttp, toNodeHandler } from './http.js';
import { createServer, type Server } from './server.js';
import { sseMount, sseNodeHandler } from './sse.js';

const overHttp = everyRevision.filter((one) => one.lifecycle === 'stateless' || one.rules.resumable);
const sessions = handshakeRevisions.filter((one) => one.rules.resumable);
const ada = 'ada@one read';
/** Everybody who is not Ada of the issuer one. */
const others = ['bob@one read', 'ada@two read', 'ada read'];

function make(): Server {
  const baskets = createHandles<string>({ prefix: 'bsk', name: 'basket', openedBy: 'open' });
  const visible = (principal: Principal | undefined) => principal?.issuer === 'one';
  return createServer({ name: 'test', version: '1' }, { cache: { lists: 1_000 }, onError: () => undefined })
    .tool('who', {}, (_, ctx) => JSON.stringify(ctx.auth))
    .tool('write', { scopes: ['read', 'write'] }, () => 'written')
    .tool('open', {}, (_, ctx) => baskets.open(ctx, 'milk'))
    .tool('look', { input: z.object({ id: z.string() }) }, ({ id }, ctx) => baskets.get(ctx, id))
    .tool('ask', {}, async (_, ctx) => {
      const answer = await ctx.elicit('name', { message: 'Who?', schema: z.object({ name: z.string() }) });
      return answer.action;
    })
    .prompt('brief', {}, () => 'x')
    .resource('a://one', { visible }, () => 'of one')
    .resource('a://open', { cache: { ttlMs: 5 } }, () => 'x') as unknown as Server;
}

/** A client of a guarded server that shows something of its own. */
type Open = (authorization: string, revision?: (typeof overHttp)[number]) => Promise<HttpPeer>;

async function opener(url: string, call?: typeof fetch): Promise<Open> {
  return (authorization, revision = latestStateless) =>
    HttpPeer.open(url, {
      revision,
      capabilities: { elicitation: { form: {} } },
      fetch: (input, init) =>
        (call ?? fetch)(input, { ...init, headers: { ...(init?.headers as object), authorization } }),
    });
}

const faces: Record<string, (server: Server) => Promise<Open>> = {
  async serveHttp(server) {
    const serving = await serveHttp(server, { limits: { drain: 100 } });
    onTestFinished(() => serving.close());
    return opener(serving.url);
  },
  async toNodeHandler(server) {
    const http = createHttpServer(toNodeHandler(server)).listen(0, '127.0.0.1');
    await once(http, 'listening');
    onTestFinished(() => {
      http.closeAllConnections();
      http.close();
    });
    return opener(`http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`);
  },
  async toFetchHandler(server) {
    const handler = toFetchHandler(server);
    return opener('http://localhost/mcp', (input, init) => handler(new Request(input, init)));
  },
};

const text = ({ result }: WireMessage) => result?.content?.[0]?.text as unknown as string;

describe.each(Object.entries(faces))('a guarded server behind %s', (_title, face) => {
  const guarded = () => face(make().guard(new WordGuard()));

  test.each(overHttp)('tells its handlers who calls, in $id', async (revision) => {
    const peer = await (await guarded())(ada, revision);
    const answer = await peer.request('tools/call', { name: 'who' });
    expect(JSON.parse(text(answer))).toEqual({ id: 'ada', issuer: 'one', scopes: ['read'] });
  });

  test.each(overHttp)('demands scopes that a tool takes, in $id', async (revision) => {
    const open = await guarded();
    const refused = await (await open(ada, revision)).send('tools/call', { name: 'write' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBe('Word scope="read write"');
    expect(await refused.json()).toMatchObject({
      id: expect.any(Number),
      error: { code: -31003, data: { requiredScopes: ['read', 'write'] } },
    });
    const peer = await open('ada@one read write', revision);
    expect(text(await peer.request('tools/call', { name: 'write' }))).toBe('written');
  });

  test.each(sessions)('has a session of one principal found by no other, in $id', async (revision) => {
    const open = await guarded();
    const owner = await open(ada, revision);
    for (const other of others) {
      const thief = await open(other, revision);
      thief.headers = owner.headers;
      expect((await thief.send('tools/call', { name: 'who' })).status).toBe(404);
      expect((await thief.get()).status).toBe(404);
      expect((await thief.get({ 'last-event-id': '0.0' })).status).toBe(404);
      expect((await thief.delete()).status).toBe(404);
    }
    const same = await open('ada@one other scopes', revision);
    same.headers = owner.headers;
    const answer = await same.request('tools/call', { name: 'who' });
    expect(JSON.parse(text(answer))).toMatchObject({ scopes: ['other', 'scopes'] });
  });

  test('rejects state of another principal', async () => {
    const open = await guarded();
    const { result } = await (await open(ada)).request('tools/call', { name: 'ask' });
    const { requestState } = result as unknown as { requestState: string };
    const inputResponses = { name: { action: 'decline' } };
    const goOn = async (authorization: string) =>
      (await open(authorization)).request('tools/call', { name: 'ask', inputResponses, requestState });
    for (const other of others) expect((await goOn(other)).error?.code).toBe(-32602);
    expect(text(await goOn('ada@one other scopes'))).toBe('decline');
  });

  test('has a handle of one principal known to no other', async () => {
    const open = await guarded();
    const id = text(await (await open(ada)).request('tools/call', { name: 'open' }));
    const look = async (authorization: string) =>
      text(await (await open(authorization)).request('tools/call', { name: 'look', arguments: { id } }));
    for (const other of others) expect(await look(other)).toContain('unknown or has expired');
    expect(await look('ada@one other scopes')).toBe('milk');
  });

  test('hides entries that only another principal may see', async () => {
    const open = await guarded();
    const read = async (authorization: string) =>
      (await (await open(authorization)).request('resources/read', { uri: 'a://one' })).result?.contents;
    expect(await read(ada)).toMatchObject([{ text: 'of one' }]);
    expect(await read('ada@two')).toBeUndefined();
  });
});

const lists = ['tools/list', 'prompts/list', 'resources/templates/list', 'server/discover'];

describe('a response of a guarded server', () => {
  const scopeOf = async (server: Server, method: string, params = {}) => {
    const open = await faces.toFetchHandler?.(server.guard(new WordGuard()));
    return (await (await open?.(ada))?.request(method, params))?.result?.cacheScope;
  };

  test.each(lists)('to %s is for who asked alone', async (method) => {
    expect(await scopeOf(make(), method)).toBe('private');
  });

  test('to a read is private, even with a time to live', async () => {
    expect(await scopeOf(make(), 'resources/read', { uri: 'a://open' })).toBe('private');
  });

  test('is public when the author declares it', async () => {
    const server = createServer({ name: 'test', version: '1' }, { cache: { shared: true } })
      .tool('all', {}, () => 'x')
      .resource('a://all', { cache: { ttlMs: 5, cacheScope: 'public' } }, () => 'x');
    expect(await scopeOf(server as never, 'tools/list')).toBe('public');
  });

  test('to a read of a public resource is public', async () => {
    const server = createServer({ name: 'test', version: '1' });
    server.resource('a://all', { cache: { ttlMs: 5, cacheScope: 'public' } }, () => 'x');
    expect(await scopeOf(server, 'resources/read', { uri: 'a://all' })).toBe('public');
  });
});

test('a server has one guard on all endpoints, without effect on other transports', async () => {
  const server = createServer({ name: 'test', version: '1' });
  const serving = await serveHttp(server, { mounts: [sseMount(server)], limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const { origin } = new URL(serving.url);
  const statuses = async () =>
    Promise.all(
      ['/mcp', '/sse', '/.well-known/told', '/healthz'].map(async (path) => {
        const response = await fetch(origin + path, { headers: { accept: 'text/event-stream' } });
        await response.body?.cancel();
        return response.status;
      }),
    );
  expect(await statuses()).toEqual([400, 200, 404, 200]);
  expect(server.guard(new WordGuard())).toBe(server);
  expect(await statuses()).toEqual([401, 401, 200, 200]);
  expect(() => server.guard(new WordGuard())).toThrow(/a guard already/);
  expect(() => sseNodeHandler(server).guard(new WordGuard())).toThrow(/a guard already/);
  expect(() => toNodeHandler(server, { authenticate: () => undefined })).toThrow(/leave authenticate out/);
  expect(() => sseNodeHandler(server, { authenticate: () => undefined })).toThrow(/leave authenticate out/);
  server.tool('write', { scopes: ['write'] }, () => 'written');
  const peer = await WirePeer.open(server);
  expect(text(await peer.request('tools/call', { name: 'write' }))).toBe('written');
});

test('only a guard keeps a server', () => {
  expect(() => make().guard({} as never)).toThrow(TypeError);
});

test('an anonymous caller has no scopes when the guard admits them', async () => {
  const serving = await serveHttp(make(), { authenticate: () => undefined, limits: { drain: 100 } });
  onTestFinished(() => serving.close());
  const peer = await HttpPeer.open(serving.url, { revision: latestStateless });
  const refused = await peer.send('tools/call', { name: 'write' });
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer scope="read write"',
  ]);
  expect((await peer.send('tools/call', { name: 'who' })).status).toBe(200);
});
