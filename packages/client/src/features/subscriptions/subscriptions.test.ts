import { otherBounds } from '@tenon/foundation';
import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../../tooling/suite/shows.js';
import { FakeClock, settled } from '../../../../testing/src/fake-clock.js';
import { linked } from '../../../test/linked.js';
import { type Reply, type Script, ScriptedServer, WireRefusal } from '../../../test/scripted-server.js';
import { serverScript } from '../../../test/scripts.js';
import type { Change } from './watcher.js';

const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
const tagged = (id: unknown, params: UnknownObject = {}) => ({ ...params, _meta: { [subscriptionId]: id } });

/** Acknowledges what was asked, or a part of it, and keeps the stream open. */
const listen =
  (part?: UnknownObject): Reply =>
  (params, peer, id) => {
    peer.notify(
      'notifications/subscriptions/acknowledged',
      tagged(id, { notifications: part ?? params.notifications }),
    );
    return undefined;
  };

function heard() {
  const changes: Change[] = [];
  return { changes, listener: (change: Change) => changes.push(change) };
}

const all = { tools: true, prompts: true, resources: true, uris: ['file:///a'] };

async function start(revision: typeof revision20250618, script: Script, capabilities?: UnknownObject) {
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision, script, capabilities));
  const errors: unknown[] = [];
  const client = await linked(server, { clock, random: () => 1, onError: (error) => errors.push(error) });
  return { clock, server, client, errors };
}

const subscribes = { 'resources/subscribe': () => ({}), 'resources/unsubscribe': () => ({}) };

describe.each([
  ['subscribing', revision20250618, subscribes],
  ['listening', revision20260728, { 'subscriptions/listen': listen() }],
] as const)('%s', (_, revision, script) => {
  const listens = revision.rules.changes === 'listen';

  it('tells what was asked for, until it is closed', async () => {
    const { server, client } = await start(revision, script);
    const { changes, listener } = heard();
    const watch = await client.watch(all, listener);
    expect(watch.honoured).toEqual(all);
    const notify = async () => {
      const { peer } = server;
      const params = listens
        ? tagged(peer.heard.find((one) => one.method === 'subscriptions/listen')?.id)
        : {};
      peer.notify('notifications/tools/list_changed', params);
      peer.notify('notifications/prompts/list_changed', params);
      peer.notify('notifications/resources/list_changed', params);
      peer.notify('notifications/resources/updated', { ...params, uri: 'file:///a' });
      await settled();
    };
    await notify();
    const reported = [
      { kind: 'tools' },
      { kind: 'prompts' },
      { kind: 'resources' },
      { kind: 'resource', uri: 'file:///a' },
    ];
    expect(changes).toEqual(reported);
    await watch.close();
    await watch.close();
    await notify();
    expect(changes).toEqual(reported);
    expect(server.peer.heard.at(-1)?.method).toBe(
      listens ? 'notifications/cancelled' : 'resources/unsubscribe',
    );
  });

  it('goes on after the connection was lost, and tells of the gap', async () => {
    showsBy(revision.id, {
      '2026-07-28': [
        '2026-07-28/basic/patterns/index/listen-again',
        '2026-07-28/basic/patterns/subscriptions/listen-again-stdio',
        '2026-07-28/basic/transports/stdio/listen-again',
      ],
    });
    const { clock, server, client } = await start(revision, script);
    const { changes, listener } = heard();
    await client.watch(all, listener);
    const closed = heard();
    await (await client.watch({ tools: true }, closed.listener)).close();
    await server.peer.die();
    await clock.advance(0);
    expect(changes).toEqual([{ kind: 'gap' }]);
    expect(closed.changes).toEqual([]);
    const method = listens ? 'subscriptions/listen' : 'resources/subscribe';
    expect(server.peer.paramsOf(method)).toHaveLength(1);
    const params = listens ? tagged(server.peer.heard.find((one) => one.method === method)?.id) : {};
    server.peer.notify('notifications/tools/list_changed', params);
    await settled();
    expect(changes).toEqual([{ kind: 'gap' }, { kind: 'tools' }]);
  });

  it('ends, and says so, when a server no longer offers it', async () => {
    const { clock, server, client } = await start(revision, script);
    const { changes, listener } = heard();
    await client.watch({ tools: true }, listener);
    server.script = serverScript(revision, script, {});
    await server.peer.die();
    await clock.advance(0);
    expect(changes).toMatchObject([{ kind: 'ended', error: { reason: 'capability-missing' } }]);
  });

  it('ends, and says so, when the client closes', async () => {
    const { client } = await start(revision, script);
    const { changes, listener } = heard();
    await client.watch(all, listener);
    await client.close();
    expect(changes).toEqual([{ kind: 'ended', error: undefined }]);
  });

  it('reports a listener that throws, and still calls the others', async () => {
    const { server, client, errors } = await start(revision, script);
    const { changes, listener } = heard();
    await client.watch({ tools: true }, () => {
      throw new Error('mine');
    });
    await client.watch({ tools: true }, listener);
    for (const { id } of server.peer.heard.filter((one) => one.method === 'subscriptions/listen')) {
      server.peer.notify('notifications/tools/list_changed', tagged(id));
    }
    if (!listens) server.peer.notify('notifications/tools/list_changed');
    await settled();
    expect(changes).toEqual([{ kind: 'tools' }]);
    expect(errors).toEqual([new Error('mine')]);
  });

  it('has a bound', async () => {
    const server = new ScriptedServer(serverScript(revision, script));
    const client = await linked(server, { limits: otherBounds({ watches: 2 }) });
    const first = await client.watch({ tools: true }, () => undefined);
    await client.watch({ tools: true }, () => undefined);
    await expect(client.watch({ tools: true }, () => undefined)).rejects.toMatchObject({ reason: 'limit' });
    await first.close();
    await client.watch({ tools: true }, () => undefined);
  });
});

describe('subscribing', () => {
  it('sends one subscription for many watches of a resource, and ends it with the last', async () => {
    const { server, client } = await start(revision20250618, subscribes);
    const [one, other] = [heard(), heard()];
    const first = await client.watch({ uris: ['file:///a', 'file:///a'] }, one.listener);
    const second = await client.watch({ uris: ['file:///a', 'file:///b'] }, other.listener);
    expect(server.peer.paramsOf('resources/subscribe')).toEqual([{ uri: 'file:///a' }, { uri: 'file:///b' }]);
    await first.close();
    expect(server.peer.paramsOf('resources/unsubscribe')).toEqual([]);
    server.peer.notify('notifications/resources/updated', { uri: 'file:///a/part' });
    server.peer.notify('notifications/resources/updated', { uri: 'file:///c' });
    await settled();
    expect(one.changes).toEqual([]);
    expect(other.changes).toEqual([{ kind: 'resource', uri: 'file:///a/part' }]);
    await second.close();
    expect(server.peer.paramsOf('resources/unsubscribe')).toEqual([
      { uri: 'file:///a' },
      { uri: 'file:///b' },
    ]);
  });

  it('fails as a whole when one resource is refused', async () => {
    const { server, client } = await start(revision20250618, {
      ...subscribes,
      'resources/subscribe': ({ uri }) => (uri === 'file:///b' ? new WireRefusal(-32002, 'No') : {}),
    });
    const watching = client.watch({ uris: ['file:///a', 'file:///b'] }, () => undefined);
    await expect(watching).rejects.toMatchObject({ code: -32002 });
    expect(server.peer.paramsOf('resources/unsubscribe')).toContainEqual({ uri: 'file:///a' });
  });

  it.each([
    [{ tools: true }, { tools: {} }, 'tools.listChanged'],
    [{ uris: ['file:///a'] }, { resources: {} }, 'resources.subscribe'],
    [{ prompts: true }, {}, 'prompts'],
    [{ resources: true }, {}, 'resources'],
  ])('%j needs more than %j', async (filter, capabilities, missing) => {
    const { client } = await start(revision20250618, subscribes, capabilities);
    await expect(client.watch(filter, () => undefined)).rejects.toThrow(`"${missing}"`);
  });
});

describe('listening', () => {
  it('tells each watch what belongs to its own stream', async () => {
    shows(
      '2026-07-28/basic/patterns/subscriptions/correlate',
      '2026-07-28/basic/patterns/subscriptions/several',
      '2026-07-28/basic/transports/stdio/correlate-subscriptions',
    );
    const { server, client } = await start(revision20260728, { 'subscriptions/listen': listen() });
    const [one, other] = [heard(), heard()];
    await Promise.all([
      client.watch({ tools: true }, one.listener),
      client.watch({ tools: true }, other.listener),
    ]);
    const ids = server.peer.heard
      .filter((sent) => sent.method === 'subscriptions/listen')
      .map((sent) => sent.id);
    server.peer.notify('notifications/tools/list_changed', tagged(ids[1]));
    server.peer.notify('notifications/tools/list_changed', tagged('nobody'));
    server.peer.notify('notifications/tools/list_changed');
    await settled();
    expect(one.changes).toEqual([]);
    expect(other.changes).toEqual([{ kind: 'tools' }]);
  });

  it('shows what of it the server honours', async () => {
    shows('2026-07-28/basic/patterns/subscriptions/check-acknowledged');
    const part = { toolsListChanged: true, resourceSubscriptions: ['file:///other'] };
    const { client } = await start(revision20260728, { 'subscriptions/listen': listen(part) });
    expect((await client.watch(all, () => undefined)).honoured).toEqual({ tools: true });
  });

  it('fails when the server honours nothing, refuses, or stays silent', async () => {
    shows('2026-07-28/basic/patterns/subscriptions/check-acknowledged');
    const nothing = await start(revision20260728, { 'subscriptions/listen': listen({}) });
    await expect(nothing.client.watch(all, () => undefined)).rejects.toMatchObject({
      reason: 'capability-missing',
    });
    expect(nothing.server.peer.heard.at(-1)?.method).toBe('notifications/cancelled');
    const refusing = await start(revision20260728, {});
    await expect(refusing.client.watch(all, () => undefined)).rejects.toMatchObject({ code: -32601 });
    const silent = await start(revision20260728, { 'subscriptions/listen': () => undefined });
    const watching = expect(silent.client.watch(all, () => undefined)).rejects.toMatchObject({
      reason: 'timeout',
    });
    await silent.clock.advance(60_000);
    await watching;
  });

  it.each<[string, (server: ScriptedServer, id: number) => void, ...string[]]>([
    [
      'gracefully',
      ({ peer }, id) => peer.respond(id, { resultType: 'complete', ...tagged(id) }),
      '2026-07-28/basic/patterns/subscriptions/reconnect',
    ],
    ['by cancelling it', ({ peer }, id) => peer.notify('notifications/cancelled', { requestId: id })],
  ])('opens a stream again after the server ended it %s', async (_, end, ...ids) => {
    shows(...ids);
    const { clock, server, client } = await start(revision20260728, { 'subscriptions/listen': listen() });
    const { changes, listener } = heard();
    const watch = await client.watch({ tools: true }, listener);
    end(server, 2);
    await clock.advance(499);
    expect(server.peer.paramsOf('subscriptions/listen')).toHaveLength(1);
    await clock.advance(1);
    expect(changes).toEqual([{ kind: 'gap' }]);
    const id = server.peer.heard.at(-1)?.id as number;
    server.peer.notify('notifications/tools/list_changed', tagged(id));
    await settled();
    expect(changes).toEqual([{ kind: 'gap' }, { kind: 'tools' }]);
    end(server, id);
    await clock.advance(999);
    expect(server.peer.paramsOf('subscriptions/listen')).toHaveLength(2);
    await watch.close();
    await clock.advance(60_000);
    expect(server.peer.paramsOf('subscriptions/listen')).toHaveLength(2);
  });
});

it('a watch that the server will not take up again ends, and says so, while the connection stays open', async () => {
  const { clock, server, client } = await start(revision20260728, { 'subscriptions/listen': listen() });
  const { changes, listener } = heard();
  await client.watch({ tools: true }, listener);
  const refuse: Reply = (_, __, id) => ({ resultType: 'complete', ...tagged(id) });
  server.script = serverScript(revision20260728, { 'subscriptions/listen': refuse });
  await server.peer.die();
  await clock.advance(0);
  expect(client.state).toBe('open');
  expect(changes).toMatchObject([{ kind: 'ended', error: { reason: 'closed' } }]);
});

it('reports an update of a part to watches of the whole, but not to watches of a URI with the same prefix', async () => {
  const { server, client } = await start(revision20250618, subscribes);
  const plan = heard();
  await client.watch({ uris: ['notes://plan'] }, plan.listener);
  for (const uri of ['notes://plans', 'notes://plan/1', 'notes://plan#2', 'notes://pla']) {
    server.peer.notify('notifications/resources/updated', { uri });
  }
  await settled();
  expect(plan.changes).toEqual([
    { kind: 'resource', uri: 'notes://plan/1' },
    { kind: 'resource', uri: 'notes://plan#2' },
  ]);
});

describe.each([revision20250618, revision20260728])('a filter that makes no sense: $id', (revision) => {
  it.each([
    [{ resource: true }, 'watch: there is no option "resource". Did you mean "resources"?'],
    [{ uris: 'file:///a' }, 'watch: uris must be a list of texts.'],
    [{}, 'watch: nothing is to be watched.'],
    [{ tools: false, uris: [] }, 'watch: nothing is to be watched.'],
    [undefined, 'watch takes an object with options.'],
  ])('%j', async (filter, message) => {
    const { client, server } = await start(revision, { ...subscribes, 'subscriptions/listen': listen() });
    const before = server.peer.methods.length;
    const watching = client.watch(filter as never, () => {});
    await expect(watching).rejects.toThrow(TypeError);
    await expect(watching).rejects.toThrow(message);
    expect(server.peer.methods).toHaveLength(before);
  });
});
