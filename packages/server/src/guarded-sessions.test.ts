import type { Principal } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { HttpPeer, messagesFrom } from '../test/http-peer.js';
import { latestHandshake, latestStateless } from '../test/wire-peer.js';
import { WordGuard } from '../test/word-guard.js';
import { toFetchHandler } from './fetch.js';
import { createServer, type Server } from './server.js';

const isAdmin = (principal: Principal | undefined) => principal?.scopes?.includes('admin') === true;
const ann = { authorization: 'ann@one' };
const annAsAdmin = { authorization: 'ann@one admin' };
/** Whoever may see anything may see this: what else was told has arrived before it. */
const last = 'a://last';

function guardedServer(): Server {
  return createServer({ name: 'test', version: '1' })
    .resource('a://visible', { visible: isAdmin }, () => 'x')
    .resource('a://scoped', { scopes: ['admin'] }, () => 'x')
    .resource(last, {}, () => 'x') as unknown as Server;
}

/** A peer of a guarded server, which says who it is with each request. */
async function opened(server: Server) {
  const handler = toFetchHandler(server.guard(new WordGuard()));
  const fetch = ((url: string, init: RequestInit) =>
    handler(new Request(url, init))) as typeof globalThis.fetch;
  const peer = new HttpPeer('http://localhost/mcp', { fetch });
  const hello = { capabilities: {}, clientInfo: { name: 'peer', version: '1' } };
  peer.headers = ann;
  const answer = await peer.send('initialize', { protocolVersion: peer.revision.id, ...hello });
  const session = { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  peer.headers = { ...ann, ...session, 'mcp-protocol-version': peer.revision.id };
  await peer.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return peer;
}

/** URIs that a stream tells of, the last one left out. */
async function toldOn(stream: Response): Promise<unknown[]> {
  const told: unknown[] = [];
  for await (const { method, params } of messagesFrom(stream)) {
    if (String(params?.uri) === last) break;
    if (method === 'notifications/resources/updated') told.push(params?.uri);
  }
  return told;
}

const uris = ['a://visible', 'a://scoped', last];

function update(server: Server): void {
  for (const uri of uris) server.resourceUpdated(uri);
}

describe('a session whose client shows another token', () => {
  test('hears of what only that token shows, once it has stepped up', async () => {
    const server = guardedServer();
    const peer = await opened(server);
    const stream = await peer.get(annAsAdmin);
    for (const uri of uris) await peer.request('resources/subscribe', { uri }, annAsAdmin);
    update(server);
    expect(await toldOn(stream)).toEqual(['a://visible', 'a://scoped']);
  });

  test('hears no more of what the earlier one showed', async () => {
    const server = guardedServer();
    const peer = await opened(server);
    for (const uri of uris) await peer.request('resources/subscribe', { uri }, annAsAdmin);
    const stream = await peer.get(ann);
    update(server);
    expect(await toldOn(stream)).toEqual([]);
  });
});

describe('a resource that takes scopes since it was subscribed to', () => {
  const later = (server: Server) => {
    server.removeResource('a://scoped');
    return () => server.resource('a://scoped', { scopes: ['admin'] }, () => 'x');
  };

  test.each([
    [ann, []],
    [annAsAdmin, ['a://scoped']],
  ])('is told of to a session of %j as it takes now', async (who, told) => {
    const server = guardedServer();
    const register = later(server);
    const peer = await opened(server);
    const stream = await peer.get(who);
    for (const uri of ['a://scoped', last]) await peer.request('resources/subscribe', { uri }, who);
    register();
    update(server);
    expect(await toldOn(stream)).toEqual(told);
  });

  const isHidden = (server: Server) => server;
  const isForAll = (server: Server) => {
    server.removeResource('a://visible');
    return server;
  };

  test.each([
    [ann, isHidden, []],
    [ann, isForAll, []],
    [annAsAdmin, isHidden, ['a://scoped']],
    [annAsAdmin, isForAll, ['a://scoped']],
  ])('is told of on a listen stream of %j as it takes now', async (who, withOthers, told) => {
    const server = withOthers(guardedServer());
    const register = later(server);
    const handler = toFetchHandler(server.guard(new WordGuard()));
    const fetch = ((url: string, init: RequestInit) =>
      handler(new Request(url, init))) as typeof globalThis.fetch;
    const peer = new HttpPeer('http://localhost/mcp', { fetch, revision: latestStateless });
    const notifications = { resourceSubscriptions: ['a://scoped', last] };
    const stream = await peer.send('subscriptions/listen', { notifications }, who);
    register();
    update(server);
    expect(await toldOn(stream)).toEqual(told);
  });

  test('is not told of on a listen stream of somebody who did not say who he is', async () => {
    const server = guardedServer();
    const register = later(server);
    const handler = toFetchHandler(server, { authenticate: () => undefined });
    const fetch = ((url: string, init: RequestInit) =>
      handler(new Request(url, init))) as typeof globalThis.fetch;
    const peer = new HttpPeer('http://localhost/mcp', { fetch, revision: latestStateless });
    const notifications = { resourceSubscriptions: ['a://scoped', last] };
    const stream = await peer.send('subscriptions/listen', { notifications });
    register();
    update(server);
    expect(await toldOn(stream)).toEqual([]);
  });

  test('is not told of to a session of somebody who did not say who he is', async () => {
    const server = guardedServer();
    const register = later(server);
    const handler = toFetchHandler(server, { authenticate: () => undefined });
    const fetch = ((url: string, init: RequestInit) =>
      handler(new Request(url, init))) as typeof globalThis.fetch;
    const peer = await HttpPeer.open('http://localhost/mcp', { fetch });
    const stream = await peer.get();
    for (const uri of ['a://scoped', last]) await peer.request('resources/subscribe', { uri });
    register();
    update(server);
    expect(await toldOn(stream)).toEqual([]);
  });
});

test('a session on a carrier that knows who sends each message, and no more, is of whoever began it', async () => {
  const server = guardedServer();
  const told: string[] = [];
  const connection = {
    facts: {},
    start: () => undefined,
    send: (frame: string) => void told.push(frame),
    close: async () => undefined,
  };
  const endpoint = server.accept(connection as never);
  const exchange = { ...connection, facts: { principal: { id: 'ann', scopes: ['admin'] } } };
  const ask = (method: string, params: object) =>
    endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, exchange as never);
  const clientInfo = { name: 'peer', version: '1' };
  await ask('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
  for (const uri of uris) await ask('resources/subscribe', { uri });
  update(server);
  await Promise.resolve();
  expect(told.map((frame) => JSON.parse(frame).params.uri)).toEqual(uris);
  await endpoint.close();
});
