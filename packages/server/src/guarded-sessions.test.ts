import { type Principal, serverPort } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { HttpPeer, messagesFrom } from '../test/http-peer.js';
import { latestHandshake, latestStateless } from '../test/wire-peer.js';
import { WordGuard } from '../test/word-guard.js';
import { toFetchHandler } from './fetch.js';
import { createServer, type Server } from './server.js';

const isAdmin = (principal: Principal | undefined) => principal?.scopes?.includes('admin') === true;
const ann = { authorization: 'ann@one' };
const annAsAdmin = { authorization: 'ann@one admin' };
/** A resource that every caller may see: when its update arrives, all earlier ones have arrived. */
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
async function receivedOn(stream: Response): Promise<unknown[]> {
  const reported: unknown[] = [];
  for await (const { method, params } of messagesFrom(stream)) {
    if (String(params?.uri) === last) break;
    if (method === 'notifications/resources/updated') reported.push(params?.uri);
  }
  return reported;
}

const uris = ['a://visible', 'a://scoped', last];

function update(server: Server): void {
  for (const uri of uris) server.resourceUpdated(uri);
}

describe('a session with a changed token', () => {
  test('receives changes that only the new token shows, after step-up', async () => {
    const server = guardedServer();
    const peer = await opened(server);
    const stream = await peer.get(annAsAdmin);
    for (const uri of uris) await peer.request('resources/subscribe', { uri }, annAsAdmin);
    update(server);
    expect(await receivedOn(stream)).toEqual(['a://visible', 'a://scoped']);
  });

  test('receives no more changes that only the earlier token showed', async () => {
    const server = guardedServer();
    const peer = await opened(server);
    for (const uri of uris) await peer.request('resources/subscribe', { uri }, annAsAdmin);
    const stream = await peer.get(ann);
    update(server);
    expect(await receivedOn(stream)).toEqual([]);
  });
});

describe('a resource that needs scopes since it was subscribed to', () => {
  const later = (server: Server) => {
    server.removeResource('a://scoped');
    return () => server.resource('a://scoped', { scopes: ['admin'] }, () => 'x');
  };

  test.each([
    [ann, []],
    [annAsAdmin, ['a://scoped']],
  ])('notifies a session of %j by the current scopes', async (who, reported) => {
    const server = guardedServer();
    const register = later(server);
    const peer = await opened(server);
    const stream = await peer.get(who);
    for (const uri of ['a://scoped', last]) await peer.request('resources/subscribe', { uri }, who);
    register();
    update(server);
    expect(await receivedOn(stream)).toEqual(reported);
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
  ])('notifies a listen stream of %j by the current scopes', async (who, withOthers, reported) => {
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
    expect(await receivedOn(stream)).toEqual(reported);
  });

  test('does not notify a listen stream of an anonymous caller', async () => {
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
    expect(await receivedOn(stream)).toEqual([]);
  });

  test('does not notify a session of an anonymous caller', async () => {
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
    expect(await receivedOn(stream)).toEqual([]);
  });
});

test('a session belongs to the caller who began it when the transport knows only the sender of each message', async () => {
  const server = guardedServer();
  const reported: string[] = [];
  const connection = {
    facts: {},
    start: () => undefined,
    send: (frame: string) => void reported.push(frame),
    close: async () => undefined,
  };
  const endpoint = server[serverPort].accept(connection as never);
  const exchange = { ...connection, facts: { principal: { id: 'ann', scopes: ['admin'] } } };
  const ask = (method: string, params: object) =>
    endpoint.receive({ jsonrpc: '2.0', id: method, method, params }, exchange as never);
  const clientInfo = { name: 'peer', version: '1' };
  await ask('initialize', { protocolVersion: latestHandshake.id, capabilities: {}, clientInfo });
  for (const uri of uris) await ask('resources/subscribe', { uri });
  update(server);
  await Promise.resolve();
  expect(reported.map((frame) => JSON.parse(frame).params.uri)).toEqual(uris);
  await endpoint.close();
});
