import { MetaKey } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';

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

/** Changes everything there is to hear of. */
function changeAll(server: Server): void {
  lastName++;
  server.tool(`tool-${lastName}`, {}, () => 'x');
  server.prompt(`prompt-${lastName}`, {}, () => 'x');
  server.resource(`a://${lastName}`, {}, () => 'x');
  for (const uri of ['a://a', 'a://b', 'a://c']) server.resourceUpdated(uri);
}

/** A peer without a session, and what it was told under each subscription. */
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

  /** Lets everything arrive that was sent. */
  async settle(): Promise<void> {
    await this.peer.request('server/discover');
  }

  /** What came under one subscription: a method, for an update its URI, and "answer" for the answer. */
  told(id: number | string): unknown[] {
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

test.each<[string, object, object, unknown[]]>([
  ['nothing', {}, {}, []],
  ['nothing, said aloud', { toolsListChanged: false, resourceSubscriptions: [] }, {}, []],
  ['tools', { toolsListChanged: true }, { toolsListChanged: true }, [list('tools')]],
  ['prompts', { promptsListChanged: true }, { promptsListChanged: true }, [list('prompts')]],
  ['resources', { resourcesListChanged: true }, { resourcesListChanged: true }, [list('resources')]],
  ['one resource', { resourceSubscriptions: ['a://b'] }, { resourceSubscriptions: ['a://b'] }, ['a://b']],
  [
    'everything',
    everything,
    everything,
    [list('tools'), list('prompts'), list('resources'), 'a://a', 'a://b'],
  ],
])('who asks for %s hears of that alone', async (...row) => {
  const [, wanted, honoured, heard] = row;
  const server = full();
  const subscriber = await Subscriber.of(server);
  subscriber.listen(7, wanted);
  expect((await subscriber.peer.heard(acknowledgement)).params).toEqual({
    notifications: honoured,
    _meta: { [MetaKey.subscriptionId]: 7 },
  });
  changeAll(server);
  await subscriber.settle();
  expect(subscriber.told(7)).toEqual([acknowledgement, ...heard]);
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
  const server = full();
  const subscriber = await Subscriber.of(server);
  changeAll(server);
  subscriber.listen(1);
  changeAll(server);
  await subscriber.settle();
  changeAll(server);
  await subscriber.settle();
  expect(subscriber.told(1)[0]).toBe(acknowledgement);
  expect(subscriber.told(1).filter((one) => one === acknowledgement)).toHaveLength(1);
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
    expect(subscriber.told(id)).toEqual([acknowledgement, 'answer']);
});

test('a stream is not answered as long as it is open', async () => {
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
  test('each hears what it asked for, under its own id', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('tools', { toolsListChanged: true });
    subscriber.listen('a', { resourceSubscriptions: ['a://a'] });
    subscriber.listen('both', { toolsListChanged: true, resourceSubscriptions: ['a://a'] });
    await subscriber.settle();
    changeAll(server);
    await subscriber.settle();
    expect(subscriber.told('tools')).toEqual([acknowledgement, list('tools')]);
    expect(subscriber.told('a')).toEqual([acknowledgement, 'a://a']);
    expect(subscriber.told('both')).toEqual([acknowledgement, list('tools'), 'a://a']);
    await server.close();
  });

  test('1,024 of them are acknowledged, told and answered each under its id', async () => {
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
    for (const told of frames.values()) expect(told).toEqual([acknowledgement, list('tools'), 'answer']);
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
    expect(subscriber.told('left')).toEqual([acknowledgement]);
    expect(subscriber.told('right')).toEqual([acknowledgement, list('tools')]);
    await server.close();
  });

  test('an id that is in use is refused, and the stream under it goes on', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('same', { toolsListChanged: true });
    subscriber.listen('same', { promptsListChanged: true });
    await subscriber.settle();
    expect(subscriber.messagesOf('same')).toMatchObject([{ error: { code: -32600 } }]);
    changeAll(server);
    await subscriber.settle();
    expect(subscriber.told('same')).toEqual([acknowledgement, list('tools')]);
    await server.close();
  });
});

describe('nothing more is heard under a subscription', () => {
  test('once its client has cancelled it: there is no answer either', async () => {
    const server = full();
    const subscriber = await Subscriber.of(server);
    subscriber.listen('x');
    await subscriber.settle();
    subscriber.peer.notify('notifications/cancelled', { requestId: 'x' });
    await subscriber.settle();
    changeAll(server);
    await server.close();
    expect(subscriber.told('x')).toEqual([acknowledgement]);
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
    expect(subscriber.told('x')).toEqual([acknowledgement, 'answer']);
    expect(subscriber.peer.received.slice(at + 1).map((one) => one.method)).toEqual([
      'notifications/cancelled',
    ]);
  });

  test('once its connection is gone, and its place is free', async () => {
    const server = full({ limits: { listenStreams: 1 } });
    const subscriber = await Subscriber.of(server);
    subscriber.listen('x');
    await subscriber.settle();
    await subscriber.peer.close();
    changeAll(server);
    expect(subscriber.told('x')).toEqual([acknowledgement]);
    const again = await Subscriber.of(server);
    changeAll(server);
    await again.settle();
    // A new connection holds nothing of the old one: it has to listen again.
    expect(again.told('x')).toEqual([]);
    again.listen('x');
    await again.settle();
    expect(again.told('x')).toEqual([acknowledgement]);
    await server.close();
  });
});

test('one connection that ends takes its own streams with it, and no others', async () => {
  const server = full();
  const [left, right] = [await Subscriber.of(server), await Subscriber.of(server)];
  left.listen('x', { toolsListChanged: true });
  right.listen('x', { toolsListChanged: true });
  await Promise.all([left.settle(), right.settle()]);
  await left.peer.close();
  changeAll(server);
  await right.settle();
  expect(right.told('x')).toEqual([acknowledgement, list('tools')]);
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
