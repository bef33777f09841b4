import { otherBounds } from '@tenon/foundation';
import { MetaKey } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import { latestHandshake, latestStateless, WirePeer } from '../../../test/wire-peer.js';
import { createServer, type Server } from '../../server.js';

const info = { name: 'test', version: '1' };
const acknowledgement = 'notifications/subscriptions/acknowledged';
const everything = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a://a', 'a://b'],
};

function full(options = {}): Server {
  return createServer(info, options)
    .tool('one', {}, () => 'x')
    .prompt('one', {}, () => 'x')
    .resource('a://a', {}, () => 'x') as Server;
}

let lastName = 0;

/** Changes all lists and resources. */
function changeAll(server: Server): void {
  lastName++;
  server.tool(`tool-${lastName}`, {}, () => 'x');
  server.prompt(`prompt-${lastName}`, {}, () => 'x');
  server.resource(`a://${lastName}`, {}, () => 'x');
  for (const uri of ['a://a', 'a://b', 'a://c']) server.resourceUpdated(uri);
}

/** A peer without a session, and the messages it received under each subscription. */
class Subscriber {
  readonly peer: WirePeer;

  constructor(peer: WirePeer) {
    this.peer = peer;
  }

  static async of(server: Server): Promise<Subscriber> {
    return new Subscriber(await WirePeer.open(server, latestStateless));
  }

  listen(id: number | string, notifications: object = everything): void {
    const _meta = { [MetaKey.protocolVersion]: latestStateless.id, [MetaKey.clientCapabilities]: {} };
    this.peer.raw({ jsonrpc: '2.0', id, method: 'subscriptions/listen', params: { notifications, _meta } });
  }

  /** Waits until all sent messages have arrived. */
  async settle(): Promise<void> {
    await this.peer.request('server/discover');
  }

  /** The messages of one subscription: a method, for an update its URI, and "answer" for the response. */
  framesOf(id: number | string): unknown[] {
    return this.peer.received
      .filter(
        ({ params, result }) =>
          (params?._meta ?? result?._meta)?.[MetaKey.subscriptionId] === (id as unknown),
      )
      .map((one) => (one.result === undefined ? (one.params?.uri ?? one.method) : 'answer'));
  }

  messagesOf(id: number | string): unknown[] {
    return this.peer.received.filter((one) => one.id === id);
  }
}

const list = (what: string) => `notifications/${what}/list_changed`;

test.each<[string, object, object, unknown[], ...string[]]>([
  ['nothing', {}, {}, []],
  ['nothing, said aloud', { toolsListChanged: false, resourceSubscriptions: [] }, {}, []],
  ['tools', { toolsListChanged: true }, { toolsListChanged: true }, [list('tools')]],
  [
    'prompts',
    { promptsListChanged: true },
    { promptsListChanged: true },
    [list('prompts')],
    '2026-07-28/server/prompts/list-changed',
  ],
  [
    'resources',
    { resourcesListChanged: true },
    { resourcesListChanged: true },
    [list('resources')],
    '2026-07-28/server/resources/list-changed',
  ],
  [
    'one resource',
    { resourceSubscriptions: ['a://b'] },
    { resourceSubscriptions: ['a://b'] },
    ['a://b'],
    '2026-07-28/server/resources/updated',
  ],
  [
    'everything',
    everything,
    everything,
    [list('tools'), list('prompts'), list('resources'), 'a://a', 'a://b'],
  ],
])('a filter with %s receives only these changes', async (...row) => {
  const [, wanted, honoured, heard, ...ids] = row;
  shows(
    '2026-07-28/basic/patterns/subscriptions/only-requested',
    '2026-07-28/basic/patterns/subscriptions/omitted-field',
    ...ids,
  );
  const server = full();
  const subscriber = await Subscriber.of(server);
  subscriber.listen(7, wanted);
  expect((await subscriber.peer.heard(acknowledgement)).params).toEqual({
    notifications: honoured,
    _meta: { [MetaKey.subscriptionId]: 7 },
  });
  changeAll(server);
  await subscriber.settle();
  expect(subscriber.framesOf(7)).toEqual([acknowledgement, ...heard]);
  await server.close();
});

test.each([
  ['tools', createServer(info).tool('one', {}, () => 'x'), { toolsListChanged: true }],
  ['prompts', createServer(info).prompt('one', {}, () => 'x'), { promptsListChanged: true }],
  [
    'resources',
    createServer(info).resource('a://a', {}, () => 'x'),
    { resourcesListChanged: true, resourceSubscriptions: ['a://a', 'a://b'] },
  ],
  ['nothing', createServer(info), {}],
])('a server that has only %s acknowledges only that', async (_, server, honoured) => {
  const subscriber = await Subscriber.of(server as unknown as Server);
  subscriber.listen(1);
  expect((await subscriber.peer.heard(acknowledgement)).params?.notifications).toEqual(honoured);
  await server.close();
});

test('the acknowledgement is first, whatever changes while the stream is opened', async () => {
  shows('2026-07-28/basic/patterns/subscriptions/nothing-before');
  const server = full();
  const subscriber = await Subscriber.of(server);
  changeAll(server);
  subscriber.listen(1);
  changeAll(server);
  await subscriber.settle();
  changeAll(server);
  await subscriber.settle();
  expect(subscriber.framesOf(1)[0]).toBe(acknowledgement);
  expect(subscriber.framesOf(1).filter((one) => one === acknowledgement)).toHaveLength(1);
  await server.close();
});

test('the id of a subscription is that of its request, as it was written', async () => {
  const server = full();
  const subscriber = await Subscriber.of(server);
  for (const id of [3, '3', 'a subscription', 0]) subscriber.listen(id, { toolsListChanged: true });
  await subscriber.settle();
  changeAll(server);
  await server.close();
  for (const id of [3, '3', 'a subscription', 0])
    expect(subscriber.framesOf(id)).toEqual([acknowledgement, 'answer']);
});

test('an open stream has no response', async () => {
  const server = full();
  const subscriber = await Subscriber.of(server);
  subscriber.listen('open');
  changeAll(server);
  await subscriber.settle();
  expect(subscriber.messagesOf('open')).toEqual([]);
  await server.close();
  expect(subscriber.messagesOf('open')).toHaveLength(1);
});

describe('many subscriptions on one connection', () => {
  test('each receives the changes in its filter, under its own id', async () => {
    shows(
      '2026-07-28/basic/patterns/subscriptions/interleaved',
      '2026-07-28/basic/patterns/subscriptions/several',
    );
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('tools', { toolsListChanged: true });
    subscriber.listen('a', { resourceSubscriptions: ['a://a'] });
    subscriber.listen('both', { toolsListChanged: true, resourceSubscriptions: ['a://a'] });
    await subscriber.settle();
    changeAll(server);
    await subscriber.settle();
    expect(subscriber.framesOf('tools')).toEqual([acknowledgement, list('tools')]);
    expect(subscriber.framesOf('a')).toEqual([acknowledgement, 'a://a']);
    expect(subscriber.framesOf('both')).toEqual([acknowledgement, list('tools'), 'a://a']);
    await server.close();
  });

  test('1,024 of them are acknowledged, notified and answered each under its id', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    const ids = Array.from({ length: 1_024 }, (_, index) => `subscription ${index}`);
    for (const id of ids) subscriber.listen(id, { toolsListChanged: true });
    await subscriber.settle();
    changeAll(server);
    await subscriber.settle();
    await server.close();
    const frames = new Map(ids.map((id) => [id, [] as unknown[]]));
    for (const { method, params, result } of subscriber.peer.received) {
      const id = (params?._meta ?? result?._meta)?.[MetaKey.subscriptionId] as unknown as string;
      frames.get(id)?.push(method ?? 'answer');
    }
    for (const framesOf of frames.values())
      expect(framesOf).toEqual([acknowledgement, list('tools'), 'answer']);
  });

  test('one that ends leaves the others as they are', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    for (const id of ['left', 'right']) subscriber.listen(id, { toolsListChanged: true });
    await subscriber.settle();
    subscriber.peer.notify('notifications/cancelled', { requestId: 'left' });
    await subscriber.settle();
    changeAll(server);
    await subscriber.settle();
    expect(subscriber.framesOf('left')).toEqual([acknowledgement]);
    expect(subscriber.framesOf('right')).toEqual([acknowledgement, list('tools')]);
    await server.close();
  });

  test('rejects an id in use, and keeps its stream open', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('same', { toolsListChanged: true });
    subscriber.listen('same', { promptsListChanged: true });
    await subscriber.settle();
    expect(subscriber.messagesOf('same')).toMatchObject([{ error: { code: -32600 } }]);
    changeAll(server);
    await subscriber.settle();
    expect(subscriber.framesOf('same')).toEqual([acknowledgement, list('tools')]);
    await server.close();
  });
});

describe('a subscription receives no more messages', () => {
  test('after its client has cancelled it, not even a response', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('x');
    await subscriber.settle();
    subscriber.peer.notify('notifications/cancelled', { requestId: 'x' });
    await subscriber.settle();
    changeAll(server);
    await server.close();
    expect(subscriber.framesOf('x')).toEqual([acknowledgement]);
    expect(subscriber.messagesOf('x')).toEqual([]);
  });

  test('once the server has ended it, gracefully, with an answer that carries its id', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('x');
    await subscriber.settle();
    const closing = server.close();
    changeAll(server);
    await closing;
    const at = subscriber.peer.received.findIndex((one) => one.id === 'x');
    expect(subscriber.peer.received[at]).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: {
        resultType: 'complete',
        _meta: expect.objectContaining({ [MetaKey.subscriptionId]: 'x' }),
      },
    });
    expect(subscriber.framesOf('x')).toEqual([acknowledgement, 'answer']);
    expect(subscriber.peer.received.slice(at + 1).map((one) => one.method)).toEqual([
      'notifications/cancelled',
    ]);
  });

  test('once its connection is gone, and its place is free', async () => {
    const server = full({ limits: otherBounds({ listenStreams: 1 }) });
    const subscriber = await Subscriber.of(server);
    subscriber.listen('x');
    await subscriber.settle();
    await subscriber.peer.close();
    changeAll(server);
    expect(subscriber.framesOf('x')).toEqual([acknowledgement]);
    const again = await Subscriber.of(server);
    changeAll(server);
    await again.settle();
    // A new connection holds nothing of the old one: it has to listen again.
    expect(again.framesOf('x')).toEqual([]);
    again.listen('x');
    await again.settle();
    expect(again.framesOf('x')).toEqual([acknowledgement]);
    await server.close();
  });
});

test('a connection that ends closes its own streams only', async () => {
  const server = full();
  const [left, right] = [await Subscriber.of(server), await Subscriber.of(server)];
  left.listen('x', { toolsListChanged: true });
  right.listen('x', { toolsListChanged: true });
  await Promise.all([left.settle(), right.settle()]);
  await left.peer.close();
  changeAll(server);
  await right.settle();
  expect(right.framesOf('x')).toEqual([acknowledgement, list('tools')]);
  await server.close();
});

test('sessions have no listen streams, and streams no sessions’ subscriptions', async () => {
  const server = full();
  const session = await WirePeer.open(server, latestHandshake);
  expect((await session.request('subscriptions/listen', { notifications: {} })).error?.code).toBe(-32601);
  const subscriber = await Subscriber.of(server);
  const subscribed = await subscriber.peer.request('resources/subscribe', { uri: 'a://a' });
  expect(subscribed.error?.code).toBe(-32601);
  await server.close();
});
