import { ErrorCode, MetaKey } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless as revision, WirePeer } from '../../test/wire-peer.js';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
const subscriptionId = 'io.modelcontextprotocol/subscriptionId';

const full = () =>
  createServer(info)
    .tool('echo', {}, (_, ctx) => JSON.stringify(ctx.meta('traceparent') ?? null))
    .tool('where', {}, async (_, ctx) => (await ctx.roots('roots')).length.toString())
    .tool('chat', {}, (_, ctx) => {
      for (const step of [1, 2]) {
        ctx.progress(step, 2);
        ctx.log('info', { step }, 'bench.saw');
      }
      return 'done';
    })
    .prompt('greet', { complete: {} }, () => 'Hi')
    .resource('a://a', {}, () => 'x')
    .resource('a://{b}', { complete: { b: () => ['c'] } }, () => 'x');

const requests: readonly (readonly [method: string, params: object])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['tools/call', { name: 'echo' }],
  ['tools/call', { name: 'where' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'greet' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'a://a' }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'a://{b}' }, argument: { name: 'b', value: '' } },
  ],
];

test('every result says its type and who answers', async () => {
  shows('2026-07-28/basic/index/result-type', '2026-07-28/basic/index/meta-server-info');
  const peer = await WirePeer.open(full(), revision, everything);
  for (const [method, params] of requests) {
    const { result } = await peer.request(method, params);
    const asksForInput = method === 'tools/call' && 'name' in params && params.name === 'where';
    expect(result?.resultType, method).toBe(asksForInput ? 'input_required' : 'complete');
    expect(result?._meta, method).toEqual({ [MetaKey.serverInfo]: info });
  }
});

test('a server that asks sends no request', async () => {
  shows(
    '2026-07-28/basic/patterns/index/no-server-requests',
    '2026-07-28/basic/patterns/mrtr/asks-in-results',
    '2026-07-28/basic/transports/stdio/no-server-requests',
  );
  const peer = await WirePeer.open(full(), revision, everything);
  const { result } = await peer.request('tools/call', { name: 'where' });
  expect(result?.inputRequests).toEqual({ roots: { method: 'roots/list' } });
  await peer.request('server/discover');
  expect(peer.received.filter((one) => one.method !== undefined)).toEqual([]);
});

test('a notification of the server has no id', async () => {
  shows('2026-07-28/basic/index/notification-no-id');
  const server = full();
  const peer = await WirePeer.open(server, revision);
  peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.heard('notifications/subscriptions/acknowledged');
  server.tool('new', {}, () => 'x');
  await peer.heard('notifications/tools/list_changed');
  await peer.request('tools/call', { name: 'chat' }, { progressToken: 1, [MetaKey.logLevel]: 'info' });
  const notifications = peer.received.filter((one) => one.method !== undefined);
  expect(notifications).toHaveLength(6);
  for (const one of notifications) expect(one).not.toHaveProperty('id');
});

test('a server that closes cancels its listen streams and nothing else', async () => {
  shows(
    '2026-07-28/basic/patterns/cancellation/server-cancels-nothing-else',
    '2026-07-28/basic/patterns/cancellation/server-references-listen',
  );
  let release = () => {};
  const server = full().tool(
    'hold',
    {},
    () => new Promise<string>((resolve) => (release = () => resolve('held'))),
  );
  const peer = await WirePeer.open(server, revision);
  const listening = peer.send('subscriptions/listen', { notifications: { toolsListChanged: true } });
  await peer.heard('notifications/subscriptions/acknowledged');
  const call = peer.send('tools/call', { name: 'hold' });
  await peer.request('server/discover');
  const closing = server.close();
  release();
  await closing;
  const cancelled = peer.received.filter((one) => one.method === 'notifications/cancelled');
  expect(cancelled.map((one) => one.params?.requestId)).toEqual([listening]);
  expect(peer.received.find((one) => one.id === call)?.result?.content?.[0]?.text).toBe('held');
});

test('one process serves unrelated calls of its client at the same time', async () => {
  shows('2026-07-28/basic/index/process-not-a-conversation');
  const releases = new Map<unknown, () => void>();
  const server = createServer(info).tool('wait', {}, (_, ctx) => {
    const who = ctx.meta('com.example/who');
    return new Promise<string>((resolve) => releases.set(who, () => resolve(String(who))));
  });
  const peer = await WirePeer.open(server, revision);
  const calls = ['a', 'b', 'c'].map((who) =>
    peer.request('tools/call', { name: 'wait' }, { 'com.example/who': who }),
  );
  await peer.request('server/discover');
  for (const who of ['c', 'a', 'b']) releases.get(who)?.();
  const answers = await Promise.all(calls);
  expect(answers.map(({ result }) => result?.content?.[0]?.text)).toEqual(['a', 'b', 'c']);
});

test('a client is served alike whatever it calls itself', async () => {
  shows(
    '2026-07-28/basic/index/names-change-nothing',
    '2026-07-28/basic/index/names-no-security',
    '2026-07-28/client/elicitation/user-verified',
  );
  const names = [
    undefined,
    { name: 'admin', version: '99' },
    { name: 'Claude', version: '1', title: 'root' },
  ];
  const seen = await Promise.all(
    names.map(async (clientInfo) => {
      const peer = await WirePeer.open(full(), revision);
      const said = clientInfo === undefined ? {} : { [MetaKey.clientInfo]: clientInfo };
      for (const [method, params] of requests) await peer.request(method, params, said);
      return JSON.stringify(peer.received);
    }),
  );
  expect(new Set(seen).size).toBe(1);
});

test('what a client says of its trace reaches the handler as it came', async () => {
  shows('2026-07-28/basic/index/meta-trace');
  const peer = await WirePeer.open(full(), revision);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const { result } = await peer.request('tools/call', { name: 'echo' }, { traceparent });
  expect(result?.content?.[0]?.text).toBe(JSON.stringify(traceparent));
});

describe('keys of the protocol', () => {
  const forged = {
    [MetaKey.serverInfo]: { name: 'somebody', version: '9' },
    [subscriptionId]: 7,
    'a.b/c': 1,
  };

  test('what a handler writes under a key of the protocol does not stand for it', async () => {
    shows('2026-07-28/basic/index/meta-reserved-prefix');
    const server = createServer(info).tool('forge', {}, () => ({ content: [], _meta: forged }));
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request('tools/call', { name: 'forge' });
    expect(result?._meta?.[MetaKey.serverInfo]).toEqual(info);
    expect(result?._meta?.['a.b/c']).toBe(1);
  });
});

describe('log messages', () => {
  test('the name of a logger goes out as it was given, each time', async () => {
    shows('2026-07-28/server/utilities/logging/logger-names');
    const peer = await WirePeer.open(full(), revision);
    await peer.request('tools/call', { name: 'chat' }, { [MetaKey.logLevel]: 'info' });
    const logs = peer.received.filter((one) => one.method === 'notifications/message');
    expect(logs.map((one) => one.params?.logger)).toEqual(['bench.saw', 'bench.saw']);
  });

  test('what cannot be written is not logged, and breaks nothing', async () => {
    shows('2026-07-28/server/utilities/logging/validate-data');
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const server = createServer(info, { onError: () => undefined }).tool('odd', {}, (_, ctx) => {
      for (const data of [circle, 1n, undefined, () => 1, 'fine']) ctx.log('error', data);
      return 'done';
    });
    const peer = await WirePeer.open(server, revision);
    const { result } = await peer.request('tools/call', { name: 'odd' }, { [MetaKey.logLevel]: 'info' });
    expect(result?.content?.[0]?.text).toBe('done');
    const logs = peer.received.filter((one) => one.method === 'notifications/message');
    expect(logs.at(-1)?.params?.data).toBe('fine');
    for (const one of logs) expect(one.params).toHaveProperty('data');
  });
});

test("no error of the framework's own making has a code of the range of old", () => {
  shows('2026-07-28/basic/index/legacy-codes-unused');
  const old = Object.entries(ErrorCode).filter(([, code]) => code >= -32_019 && code <= -32_000);
  // The one of earlier revisions, which this one does not emit.
  expect(old.map(([name]) => name)).toEqual(['resourceNotFound']);
  expect(revision.rules.notFoundCode).toBe(-32_602);
});
