import { type Principal, serverPort } from '@tenon/mcp-protocol';
import { type MessageBus, type State, StateError } from '@tenon/mcp-state';
import { describe, expect, it, vi } from 'vitest';
import { settled } from '../../../testing/src/fake-clock.js';
import { TestProcesses, toldOf } from '../../test/processes.js';
import { latestHandshake, latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { Server } from '../server.js';

const tools = 'notifications/tools/list_changed';
const prompts = 'notifications/prompts/list_changed';
const resources = 'notifications/resources/list_changed';
const everything = {
  toolsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['a://a', 'a://b'],
};

function full(server: Server): Server {
  return server.tool('one', {}, () => 'x').resource('a://a', {}, () => 'x') as Server;
}

/** Two servers, and a peer of the second that listens to everything. */
async function two({ listening = latestHandshake } = {}) {
  const processes = new TestProcesses();
  const [here, there] = [full(await processes.server()), full(await processes.server())];
  const peer = await listener(there, listening);
  return { processes, here, there, peer };
}

/** A peer with a session or a listen stream, and two subscriptions. */
async function listener(server: Server, revision = latestHandshake): Promise<WirePeer> {
  const peer = await WirePeer.open(server, revision);
  if (revision === latestStateless) {
    peer.send('subscriptions/listen', { notifications: everything });
    await peer.heard('notifications/subscriptions/acknowledged');
  } else {
    await peer.request('resources/subscribe', { uri: 'a://a' });
    await peer.request('resources/subscribe', { uri: 'a://b' });
  }
  peer.received.length = 0;
  return peer;
}

describe.each([
  ['a session', latestHandshake],
  ['a listen stream', latestStateless],
])('%s of another process', (_, listening) => {
  it('receives a change of the lists once for each turn', async () => {
    const { here, there, peer } = await two({ listening });
    const local = await listener(here, listening);
    local.received.length = 0;
    here.tool('two', {}, () => 'x');
    here.tool('three', {}, () => 'x');
    here.resourceListChanged();
    expect(await toldOf(peer)).toEqual([tools, resources]);
    expect(await toldOf(local)).toEqual([tools, resources]);
    there.removeTool('one');
    expect(await toldOf(peer)).toEqual([tools]);
    expect(await toldOf(local)).toEqual([tools]);
  });

  it('receives updates of the resources that it has subscribed to', async () => {
    const { here, peer } = await two({ listening });
    for (const uri of ['a://a', 'a://c', 'a://b', 'a://a']) here.resourceUpdated(uri);
    expect(await toldOf(peer)).toEqual(['a://a', 'a://b']);
  });

  it('receives changes of a process that has served no client', async () => {
    const { processes, peer } = await two({ listening });
    const worker = await processes.server();
    worker.resourceUpdated('a://a');
    worker.resourceListChanged();
    expect(await toldOf(peer)).toEqual(['a://a', resources]);
  });

  it('receives everything after an interruption, once', async () => {
    const { processes, peer } = await two({ listening });
    processes.memory.interrupt();
    expect(await toldOf(peer)).toEqual([]);
    processes.memory.restore();
    expect((await toldOf(peer)).sort()).toEqual(['a://a', 'a://b', resources, tools]);
  });
});

describe('a change', () => {
  it('is not sent for the entries that a process registers before it serves', async () => {
    const { processes, peer } = await two();
    full(await processes.server());
    expect(await toldOf(peer)).toEqual([]);
  });

  it('is not sent when the lists are the same in the end', async () => {
    const { here, peer } = await two();
    await WirePeer.open(here);
    here.tool('brief', {}, () => 'x');
    here.removeTool('brief');
    expect(await toldOf(peer)).toEqual([]);
  });

  it('is sent by a process that serves, although it has no listener now', async () => {
    const { here, peer } = await two();
    await (await WirePeer.open(here)).close();
    here.removeTool('one');
    expect(await toldOf(peer)).toEqual([tools]);
  });

  it('is published once, and not again by the processes that receive it', async () => {
    const { processes, here, peer } = await two();
    await listener(here);
    let published = 0;
    await processes.state.bus.subscribe('cluster/nodes', {
      message: () => {
        published++;
      },
      gap: () => {},
    });
    here.resourceUpdated('a://a');
    here.removeTool('one');
    expect(await toldOf(peer)).toEqual(['a://a', tools]);
    expect(published).toBe(2);
  });
});

const staff = (principal: Principal | undefined) => principal?.id === 'ann';

it.each<[string, object]>([
  ['is hidden from the listener', { visible: staff }],
  ['needs scopes that the listener lacks', { scopes: ['read'] }],
])('sends no update of a resource of another process that %s', async (_, options) => {
  const { here, there } = await two();
  const sent: string[] = [];
  for (const principal of [{ id: 'bob' }, { id: 'ann', scopes: ['read'] }]) {
    const exchange = { facts: { principal }, send: (frame: string) => void sent.push(frame) };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': latestStateless.id,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { resourceSubscriptions: ['a://a', 'a://b'] }, _meta };
    void there[serverPort].answer(
      { jsonrpc: '2.0', id: principal.id, method: 'subscriptions/listen', params },
      exchange,
    );
  }
  for (const server of [here, there]) server.resource('a://b', options, () => 'x');
  here.resourceUpdated('a://b');
  await settled();
  const updates = sent.filter((frame) => frame.includes('resources/updated'));
  expect(updates.map((frame) => frame.includes('"ann"'))).toEqual([true]);
});

it('drops and reports malformed changes of the bus', async () => {
  const { processes, peer } = await two();
  const malformed: unknown[] = [
    null,
    'notifications/tools/list_changed',
    [],
    {},
    { method: 'notifications/message' },
    { method: 'notifications/resources/updated' },
    { method: 'notifications/resources/updated', uri: 1 },
    { method: 'notifications/resources/updated', uri: `a://${'a'.repeat(8_192)}` },
    { method: 'notifications/tools/list_changed', uri: 'a://a' },
    { method: ['notifications/tools/list_changed'] },
  ];
  for (const body of malformed) await processes.inject('change', body);
  expect(await toldOf(peer)).toEqual([]);
  // Both servers report each.
  expect(processes.errors.map(String)).toEqual(
    [...malformed, ...malformed].map(
      () => 'TypeError: Another process sent a malformed change; it is dropped.',
    ),
  );
  await processes.inject('change', { method: prompts });
  expect(await toldOf(peer)).toEqual([prompts]);
});

it('reports once that changes cannot be sent, and reports the loss to other processes later', async () => {
  const processes = new TestProcesses();
  const state = processes.memory.open() as State & { become(status: string): void };
  const [here, there] = [full(await processes.server({ state })), full(await processes.server())];
  const peer = await listener(there);
  state.become('unavailable');
  for (const uri of ['a://a', 'a://b']) here.resourceUpdated(uri);
  expect(await toldOf(peer)).toEqual([]);
  expect(processes.errors.map(String)).toEqual(['StateError: State: it was interrupted.']);
  state.become('ready');
  expect((await toldOf(peer)).sort()).toEqual(['a://a', 'a://b', resources, tools]);
});

it('reports lost changes to other processes after a moment when the state failed without an interruption', async () => {
  const { processes, here, peer } = await two();
  const { bus } = here[serverPort].processes?.state ?? {};
  const slow = new StateError('unavailable', 'State: too slow.');
  const publish = vi
    .spyOn(bus as MessageBus, 'publish')
    .mockRejectedValueOnce(slow)
    .mockRejectedValueOnce(slow);
  here.resourceUpdated('a://a');
  expect(await toldOf(peer)).toEqual([]);
  await processes.clock.advance(1_000);
  expect(await toldOf(peer)).toEqual([]);
  await processes.clock.advance(1_000);
  expect((await toldOf(peer)).sort()).toEqual(['a://a', 'a://b', resources, tools]);
  expect([publish.mock.calls.length, processes.errors]).toEqual([3, [slow]]);
  expect(processes.clock.waiting).toEqual([]);
});

it('leaves no timers and sends nothing more when it is closed', async () => {
  const { processes, here, peer } = await two();
  await here.close();
  here.resourceUpdated('a://a');
  expect(await toldOf(peer)).toEqual([]);
  expect(processes.clock.waiting).toEqual([]);
  expect(processes.errors).toEqual([]);
  await processes.inject('change', 'malformed');
  expect(processes.errors).toHaveLength(1);
});
