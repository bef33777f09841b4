import type { Exchange, Principal, TransportFacts } from '@tenon/mcp-protocol';
import { serverPort, TransportError } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { shows } from '../../../tooling/suite/shows.js';
import { latestHandshake, latestStateless, WirePeer } from '../test/wire-peer.js';
import { createServer, type Server } from './server.js';

const info = { name: 'test', version: '1' };
const toolNames = async (peer: WirePeer) =>
  (await peer.request('tools/list')).result?.tools?.map((tool) => tool.name);

/** A handler that waits until it is let go. */
function held() {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { gone, letGo: () => letGo() };
}

test('a chain and statements register the same', async () => {
  const chained = createServer(info)
    .tool('one', {}, () => '1')
    .prompt('two', {}, () => '2')
    .resource('a://three', {}, () => '3');
  const stated = createServer(info);
  stated.tool('one', {}, () => '1');
  stated.prompt('two', {}, () => '2');
  stated.resource('a://three', {}, () => '3');
  for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
    const [left, right] = await Promise.all(
      [chained, stated].map(async (server) =>
        (await WirePeer.open(server as Server, latestStateless)).request(method),
      ),
    );
    expect(left?.result).toBeDefined();
    expect(left).toEqual(right);
  }
});

test('removes entries, which may be registered again', async () => {
  const server = createServer(info)
    .tool('x', {}, () => 'old')
    .prompt('x', {}, () => 'old')
    .resource('a://x', {}, () => 'old')
    .resource('a://{x}/y', {}, () => 'old');
  expect([server.removeTool('x'), server.removeTool('x')]).toEqual([true, false]);
  expect([server.removePrompt('x'), server.removePrompt('x')]).toEqual([true, false]);
  expect([server.removeResource('a://x'), server.removeResource('a://x')]).toEqual([true, false]);
  expect([server.removeResource('a://{x}/y'), server.removeResource('a://{x}/y')]).toEqual([true, false]);
  const peer = await WirePeer.open(server);
  expect((await peer.request('tools/call', { name: 'x' })).error?.code).toBe(-32602);
  expect((await peer.request('prompts/get', { name: 'x' })).error?.code).toBe(-32602);
  expect((await peer.request('resources/read', { uri: 'a://x' })).error?.code).toBe(-32002);
  expect((await peer.request('resources/templates/list')).result?.resourceTemplates).toEqual([]);
  server.tool('x', {}, () => 'new');
  expect((await peer.request('tools/call', { name: 'x' })).result?.content?.[0]?.text).toBe('new');
});

test('lists entries in the order of registration', async () => {
  shows('2026-07-28/server/tools/deterministic-order', 'draft-tools/tools/deterministic-order');
  const server = createServer(info);
  for (const name of ['b', 'c', 'a']) server.tool(name, {}, () => name);
  server.removeTool('b');
  server.tool('b', {}, () => 'b');
  const peer = await WirePeer.open(server);
  expect(await toolNames(peer)).toEqual(['c', 'a', 'b']);
  expect(await toolNames(peer)).toEqual(['c', 'a', 'b']);
});

test('resourceListChanged tells sessions and streams that listen', async () => {
  shows('2026-07-28/server/resources/list-changed');
  const server = createServer(info).resource('a://{b}', { list: () => [] }, () => 'x');
  const session = await WirePeer.open(server, latestHandshake);
  const stream = await WirePeer.open(server, latestStateless);
  const id = stream.send('subscriptions/listen', { notifications: { resourcesListChanged: true } });
  await stream.heard('notifications/subscriptions/acknowledged');
  server.resourceListChanged();
  const method = 'notifications/resources/list_changed';
  expect(await session.heard(method)).toEqual({ jsonrpc: '2.0', method });
  expect((await stream.heard(method)).params).toEqual({
    _meta: { 'io.modelcontextprotocol/subscriptionId': id },
  });
});

test('compileSchemas compiles every schema, and rejects a broken one', async () => {
  const good = createServer(info)
    .tool('t', { input: { type: 'object' }, output: { type: 'string' } }, () => 'x')
    .prompt('p', { args: z.object({ who: z.string() }) }, () => 'x');
  expect(await good.compileSchemas()).toBe(good);
  const bad = createServer(info).tool('t', { input: { type: 'object', minProperties: -1 } }, () => 'x');
  await expect(bad.compileSchemas()).rejects.toThrow('tool "t" input');
});

test('close lets running calls finish, rejects new ones, and ends every connection', async () => {
  const { gone, letGo } = held();
  const server = createServer(info).tool('slow', {}, async () => {
    await gone;
    return 'done';
  });
  const [peer, other] = await Promise.all([WirePeer.open(server), WirePeer.open(server)]);
  const call = peer.request('tools/call', { name: 'slow' });
  await peer.request('ping');
  const closing = server.close();
  expect((await peer.request('tools/call', { name: 'slow' })).error?.code).toBe(-31002);
  letGo();
  expect((await call).result?.content?.[0]?.text).toBe('done');
  await closing;
  await peer.gone;
  await other.gone;
});

test('a server that was closed may serve again', async () => {
  const server = createServer(info).tool('one', {}, () => 'x');
  await WirePeer.open(server);
  await server.close();
  expect(await toolNames(await WirePeer.open(server))).toEqual(['one']);
});

test('progress, logs, updates and cancellation of one connection reach no other', async () => {
  shows('2024-11-05/index/privacy', '2024-11-05/server/utilities/logging/access-controlled');
  const { gone, letGo } = held();
  const signals: AbortSignal[] = [];
  const server = createServer(info)
    .resource('a://a', {}, () => 'x')
    .tool('work', {}, async (_, ctx) => {
      signals.push(ctx.signal);
      ctx.progress(1, 2);
      ctx.log('info', ctx.meta('who'));
      await gone;
      return 'done';
    });
  const [left, right] = await Promise.all([WirePeer.open(server), WirePeer.open(server)]);
  await left.request('resources/subscribe', { uri: 'a://a' });
  const calls = [left, right].map((peer, index) =>
    peer.send('tools/call', { name: 'work' }, { progressToken: 'same', who: index }),
  );
  server.resourceUpdated('a://a');
  await Promise.all([left.request('ping'), right.request('ping')]);
  left.notify('notifications/cancelled', { requestId: calls[0] });
  await left.request('ping');
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
  letGo();
  await right.next((one) => one.id === calls[1] && one.result !== undefined);
  await left.request('ping');
  const notifiedOf = (peer: WirePeer) =>
    peer.received.filter((one) => one.method !== undefined).map(({ method, params }) => [method, params]);
  const ownMessages = (who: number) => [
    ['notifications/progress', { progressToken: 'same', progress: 1, total: 2 }],
    ['notifications/message', { level: 'info', data: who }],
  ];
  expect(notifiedOf(left)).toEqual([
    ...ownMessages(0),
    ['notifications/resources/updated', { uri: 'a://a' }],
  ]);
  expect(notifiedOf(right)).toEqual(ownMessages(1));
  expect(left.received.some((one) => one.result?.content !== undefined)).toBe(false);
});

test('keeps the log level of each session separate', async () => {
  shows('2024-11-05/server/utilities/logging/access-controlled');
  const server = createServer(info);
  const [left, right] = await Promise.all([WirePeer.open(server), WirePeer.open(server)]);
  await left.request('logging/setLevel', { level: 'error' });
  server.log('warning', 'half full');
  server.log('error', 'full', 'disk');
  await Promise.all([left.request('ping'), right.request('ping')]);
  const notifiedOf = (peer: WirePeer) =>
    peer.received.filter((one) => one.method !== undefined).map((one) => one.params);
  expect(notifiedOf(left)).toEqual([{ level: 'error', data: 'full', logger: 'disk' }]);
  expect(notifiedOf(right)).toEqual([
    { level: 'warning', data: 'half full' },
    { level: 'error', data: 'full', logger: 'disk' },
  ]);
});

test('a server without logging sends no log messages of its own either', async () => {
  const server = createServer(info, { logging: false });
  const peer = await WirePeer.open(server);
  server.log('emergency', 'unheard');
  await peer.request('ping');
  expect(peer.received.filter((one) => one.method !== undefined)).toEqual([]);
});

/** One stateless request, as from a transport without connections. */
function exchange(principal?: Principal): Exchange & { readonly frames: string[] } {
  const frames: string[] = [];
  const facts: TransportFacts = principal === undefined ? {} : { principal };
  return { facts, frames, send: (frame) => void frames.push(frame) };
}

const listen = (id: number, notifications: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'subscriptions/listen',
  params: {
    notifications,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': latestStateless.id,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

test('closing the server ends streams that belong to no connection with their answer', async () => {
  const server = createServer(info).tool('one', {}, () => 'x');
  const answer = server[serverPort].answer(listen(7, { toolsListChanged: true }), exchange());
  await server.close();
  expect(JSON.parse((await answer) ?? '')).toMatchObject({
    id: 7,
    result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
  });
});

test('does not notify callers of entries that are hidden from them', async () => {
  shows(
    '2024-11-05/index/data-protected',
    '2024-11-05/server/resources/access-controls',
    '2024-11-05/server/tools/access-controls',
    '2026-07-28/index/access-controls',
    '2026-07-28/index/controls-and-protections',
    '2026-07-28/server/resources/access-controls',
  );
  const errors: unknown[] = [];
  const server = createServer(info, { onError: (error) => errors.push(error) })
    .tool('open', {}, () => 'x')
    .resource('a://open', {}, () => 'x')
    .resource('a://staff/{id}', { visible: (principal) => principal !== undefined }, () => 'x');
  const filter = {
    toolsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['a://open', 'a://staff/1', 'a://later'],
  };
  const [guest, staff] = [exchange(), exchange({ id: 'ann' })];
  void server[serverPort].answer(listen(1, filter), guest);
  void server[serverPort].answer(listen(2, filter), staff);
  server.tool('hidden', { visible: (principal) => principal?.id === 'ann' }, () => 'x');
  server.resource(
    'a://broken',
    {
      visible() {
        throw new RangeError('broken');
      },
    },
    () => 'x',
  );
  for (const uri of ['a://open', 'a://staff/1', 'a://later']) server.resourceUpdated(uri);
  await undefined;
  const notifiedOf = ({ frames }: { frames: readonly string[] }) =>
    frames
      .slice(1)
      .map((frame) => JSON.parse(frame))
      .map(({ method, params }) => params.uri ?? method);
  expect(notifiedOf(guest)).toEqual(['a://open', 'a://later']);
  expect(notifiedOf(staff)).toEqual([
    'notifications/tools/list_changed',
    'a://open',
    'a://staff/1',
    'a://later',
  ]);
  expect(errors).toEqual([new RangeError('broken'), new RangeError('broken')]);
  server.removeTool('hidden');
  server.removeTool('open');
  await undefined;
  expect(notifiedOf(guest).at(-1)).toBe('notifications/tools/list_changed');
  await server.close();
});

test.each([
  [() => createServer(info, { cache: { lists: -1 } }), 'cache.lists'],
  [() => createServer(info, { cache: { lists: Number.NaN } }), 'cache.lists'],
  [() => createServer(info, { declare: ['tool'] as never }), 'declare must be a list of "tools"'],
  [() => createServer(info).use('x' as never), 'middleware'],
  [() => createServer(info).resource('a://a', { cache: { ttlMs: -1 } } as never, () => 'x'), 'ttlMs'],
])('rejects misuse at once: %#', (misuse, message) => {
  expect(misuse).toThrow(message);
});

test('that a peer was cut off is reported, that it left is not', () => {
  const heard: string[] = [];
  const server = createServer(info, {
    onError: (error, where) => heard.push(`${where}: ${(error as Error).message}`),
  });
  const silent = () => ({
    facts: {},
    start: () => undefined,
    send: () => undefined,
    close: async () => undefined,
  });
  server[serverPort].accept(silent()).closed();
  server[serverPort]
    .accept(silent())
    .closed(new TransportError('The connection broke: EPIPE.', { cause: new Error('EPIPE') }));
  server[serverPort]
    .accept(silent())
    .closed(new TransportError('The peer left more than 5 characters unread.'));
  expect(heard).toEqual(['connection: The peer left more than 5 characters unread.']);
});
