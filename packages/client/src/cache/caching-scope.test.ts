import type { Connection, RequestId, UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { settled } from '../../../testing/src/fake-clock.js';
import { address, bench, CachingBench, cacheable, hints, tool } from '../../test/caching-bench.js';
import { type Reply, WireRefusal } from '../../test/scripted-server.js';
import { discoverResult } from '../../test/scripts.js';
import type { Client } from '../client.js';
import { connect } from '../connect.js';
import { memoryTarget } from '../memory.js';
import { MemoryCache } from './response-cache.js';

describe('the scope of a cached response', () => {
  const list = async (client: Client) => void (await client.tools().all());

  it.each([
    ['public', {}, 1, '2026-07-28/server/utilities/caching/public-shared'],
    ['private', {}, 2, '2026-07-28/server/utilities/caching/private-not-shared'],
    [undefined, {}, 2],
    ['private', { identity: 'ada' }, 1, '2026-07-28/server/utilities/caching/private-reused'],
  ])(
    'cacheScope %s with %o: two clients of one cache send %i requests',
    async (...[cacheScope, options, times, ...ids]) => {
      shows(...ids);
      const cache = new MemoryCache();
      const scoped = { tools: [], ttlMs: 1_000, ...(cacheScope && { cacheScope }) };
      const test = new CachingBench(
        { 'tools/list': () => scoped },
        cacheScope ? revision20260728 : revision20251125,
      );
      await list(await test.connect({ cache, ...options }));
      await list(await test.connect({ cache, ...options }));
      expect(test.count('tools/list')).toBe(times);
    },
  );

  it.each(
    cacheable.slice(1).flatMap(([method, params]) => [
      { method, params, cacheScope: 'private', times: 2 },
      { method, params, cacheScope: 'public', times: 1 },
    ]),
  )('$method with the scope $cacheScope is sent $times times for two identities', async (row) => {
    const { method, params, cacheScope, times } = row;
    const cache = new MemoryCache();
    const test = bench({ cacheScope });
    for (const identity of ['ada', 'bob'])
      await (await test.connect({ cache, identity })).request(method, params as never);
    expect(test.count(method)).toBe(times);
  });

  it('is not shared with another identity', async () => {
    shows('2026-07-28/server/utilities/caching/private-not-shared');
    const cache = new MemoryCache();
    const test = bench();
    await list(await test.connect({ cache, identity: 'ada' }));
    await list(await test.connect({ cache, identity: 'bob' }));
    // No identity that another client uses gives access to the entries of a client without one.
    await list(await test.connect({ cache, identity: 'client 1' }));
    await list(await test.connect({ cache }));
    expect(test.count('tools/list')).toBe(4);
  });

  it('is not shared with clients of another address or another release of the server', async () => {
    const cache = new MemoryCache();
    const test = bench({ cacheScope: 'public' });
    await list(await test.connect({ cache }));
    await list(await test.connect({ cache, address: `${address}?tenant=2` }));
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'scripted', version: '2' } };
    test.server.script = {
      ...test.server.script,
      'server/discover': () => ({ ...discoverResult(['2026-07-28']), _meta: serverInfo }),
    };
    await list(await test.connect({ cache }));
    expect(test.count('tools/list')).toBe(3);
  });

  it('is one client when the server has no address', async () => {
    const cache = new MemoryCache();
    const { server, clock } = bench({ cacheScope: 'public' });
    const info = { name: 'client', version: '1' };
    for (const _ of [1, 2]) await list(await connect(memoryTarget(server), { info, clock, cache }));
    expect(server.peers.map((peer) => peer.paramsOf('tools/list').length)).toEqual([1, 1]);
  });
});

describe('the pages of a list', () => {
  const paged = (first: UnknownObject, second: UnknownObject): Reply => {
    return ({ cursor }) =>
      cursor === undefined
        ? { tools: [tool('a')], nextCursor: 'x', ...hints, ...first }
        : { tools: [tool('b')], ...hints, ...second };
  };

  it('are fresh for as long as each says', async () => {
    shows(
      '2026-07-28/server/utilities/caching/page-ttl',
      '2026-07-28/server/utilities/caching/page-refetched',
    );
    const test = bench({}, { 'tools/list': paged({ ttlMs: 5_000 }, { ttlMs: 1_000 }) });
    const client = await test.connect();
    await client.tools().all();
    await test.clock.advance(2_000);
    expect(await client.tools().all()).toHaveLength(2);
    expect(test.server.peer.paramsOf('tools/list').map(({ cursor }) => cursor)).toEqual([
      undefined,
      'x',
      'x',
    ]);
  });

  it.each([
    [{ cacheScope: 'public' }, { cacheScope: 'private' }],
    [{ cacheScope: 'private' }, { cacheScope: 'public' }],
  ])('are all private where one says %o and another %o', async (first, second) => {
    const cache = new MemoryCache();
    const test = bench({}, { 'tools/list': paged(first, second) });
    const one = await test.connect({ cache });
    await one.tools().all();
    await (await test.connect({ cache })).tools().page();
    // Once they did not agree, they are not trusted to.
    await one.tools({ fresh: true }).page();
    await (await test.connect({ cache })).tools().page('x');
    await (await test.connect({ cache })).tools().page();
    expect(test.count('tools/list')).toBe(6);
    await one.tools().all();
    expect(test.count('tools/list')).toBe(6);
  });

  it('are shared where all are public, and the first was found in the cache', async () => {
    const cache = new MemoryCache();
    const test = bench(
      {},
      { 'tools/list': paged({ cacheScope: 'public' }, { cacheScope: 'public', ttlMs: 10 }) },
    );
    await (await test.connect({ cache })).tools().all();
    await test.clock.advance(10);
    await (await test.connect({ cache })).tools().all();
    await (await test.connect({ cache })).tools().all();
    expect(test.count('tools/list')).toBe(3);
  });

  it('are private where it is not known what the first one says', async () => {
    const cache = new MemoryCache();
    const test = bench({ cacheScope: 'public' });
    await (await test.connect({ cache })).tools().page('x');
    await (await test.connect({ cache })).tools().page('x');
    expect(test.count('tools/list')).toBe(2);
  });

  it('are all forgotten when a cursor is no longer valid, and the list is read from its beginning', async () => {
    shows('2026-07-28/server/utilities/caching/cursor-invalid');
    let generation = 1;
    const listed: Reply = ({ cursor }) => {
      if (cursor === undefined)
        return { tools: [tool(`a${generation}`)], nextCursor: `${generation}`, ...hints };
      if (cursor !== `${generation}`) return new WireRefusal(-32602, 'Invalid cursor');
      return { tools: [tool(`b${generation}`)], ...hints, ttlMs: 10 };
    };
    const test = bench({}, { 'tools/list': listed });
    const client = await test.connect();
    await client.tools().all();
    generation = 2;
    await test.clock.advance(10);
    expect(await client.tools().all()).toEqual([tool('a2'), tool('b2')]);
    expect(test.count('tools/list')).toBe(5);
  });

  it('are read from the beginning once, and not for ever', async () => {
    shows('2026-07-28/server/utilities/caching/snapshot');
    const listed: Reply = ({ cursor }) =>
      cursor === undefined
        ? { tools: [], nextCursor: 'x', ...hints }
        : new WireRefusal(-32602, 'Invalid cursor');
    const test = bench({}, { 'tools/list': listed });
    const client = await test.connect();
    await expect(client.tools().all()).rejects.toThrow('Invalid cursor');
    expect(test.count('tools/list')).toBe(4);
  });
});

describe('a cached response is dropped', () => {
  const readAll = async (client: Client) => {
    for (const [method, params] of cacheable.slice(1)) await client.request(method, params as never);
    await client.readResource('a:b/c');
  };
  const counted = cacheable.slice(1).map(([method]) => method);

  it.each([
    [
      'notifications/tools/list_changed',
      {},
      ['tools/list'],
      '2026-07-28/server/utilities/caching/invalidated',
    ],
    ['notifications/prompts/list_changed', {}, ['prompts/list']],
    ['notifications/resources/list_changed', {}, ['resources/list', 'resources/templates/list']],
    [
      'notifications/resources/updated',
      { uri: 'a:b' },
      ['resources/read'],
      '2026-07-28/server/utilities/caching/invalidated',
    ],
    ['notifications/resources/updated', { uri: 'a:b#part' }, ['resources/read']],
    ['notifications/resources/updated', { uri: 'a:bc' }, []],
  ])('by %s with %o: %o', async (...[notification, params, forgotten, ...ids]) => {
    shows(...ids);
    const test = bench();
    const client = await test.connect();
    await readAll(client);
    const before = counted.map((method) => test.count(method));
    await test.notify(notification, params);
    await readAll(client);
    const asked = counted.filter((method, index) => test.count(method) > (before[index] ?? 0));
    expect(asked).toEqual(forgotten);
  });

  it('by a notification that overtakes the answer', async () => {
    shows('2026-07-28/server/utilities/caching/invalidated');
    let answer = (_: UnknownObject) => {};
    const test = bench({}, { 'tools/list': () => new Promise((resolve) => (answer = resolve)) });
    const client = await test.connect();
    const first = client.tools().all();
    await settled();
    await test.notify('notifications/tools/list_changed');
    answer({ tools: [tool('old')], ...hints });
    expect(await first).toEqual([tool('old')]);
    const second = client.tools().all();
    await settled();
    answer({ tools: [tool('new')], ...hints });
    expect(await second).toEqual([tool('new')]);
  });

  it('for every client of one cache', async () => {
    const cache = new MemoryCache();
    const test = bench({ cacheScope: 'public' });
    const one = await test.connect({ cache });
    await one.tools().all();
    await test.connect({ cache });
    await test.notify('notifications/tools/list_changed');
    await one.tools().all();
    expect(test.count('tools/list')).toBe(2);
  });

  it('before a watch is notified', async () => {
    const test = bench({}, {}, revision20251125);
    const client = await test.connect();
    await client.tools().all();
    let reported: Promise<unknown> | undefined;
    await client.watch({ tools: true }, () => {
      reported = client.tools().all();
    });
    await test.notify('notifications/tools/list_changed');
    await reported;
    expect(test.count('tools/list')).toBe(2);
  });

  it('when a listen stream broke, before a watch is notified of the gap', async () => {
    const listen: Reply = (_, peer, id) => {
      const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
      const notifications = { promptsListChanged: true };
      peer.notify('notifications/subscriptions/acknowledged', { _meta, notifications });
      return undefined;
    };
    const test = bench({}, { 'subscriptions/listen': listen });
    const client = await test.connect();
    await client.tools().all();
    const reported: Promise<unknown>[] = [];
    await client.watch({ prompts: true }, () => reported.push(client.tools().all()));
    const [listening] = test.server.peer.heard.filter((one) => one.method === 'subscriptions/listen');
    test.server.peer.respond(listening?.id as RequestId, { resultType: 'complete' });
    await test.clock.advance(500);
    await Promise.all(reported);
    expect([reported.length, test.count('tools/list')]).toEqual([1, 2]);
  });

  it('when a transport may have lost messages, even without a watch', async () => {
    const test = bench({}, {}, revision20251125);
    let lose = () => {};
    const open = () => {
      const connection = memoryTarget(test.server).open() as Connection;
      return Object.assign(connection, { onMissed: (listener: () => void) => (lose = listener) });
    };
    const info = { name: 'client', version: '1' };
    const client = await connect({ open, restartable: false }, { info, clock: test.clock });
    await client.tools().all();
    lose();
    await client.tools().all();
    expect(test.count('tools/list')).toBe(2);
  });

  it('by a connection that takes the place of another', async () => {
    const test = bench();
    const client = await test.connect();
    await client.tools().all();
    await test.server.peer.die();
    await test.clock.advance(1);
    await client.tools().all();
    expect(test.count('tools/list')).toBe(2);
  });

  it.each([
    [-32601, 2],
    [-32602, 2],
    [-32603, 1],
  ])('by a call that is refused with %i as if the list were another: asked %i times', async (code, times) => {
    showsBy(code, { '-32602': '2026-07-28/server/utilities/caching/early-refetch' });
    const test = bench({}, { 'tools/call': () => new WireRefusal(code, 'no') });
    const client = await test.connect();
    await client.tools().all();
    await expect(client.callTool('a')).rejects.toThrow('no');
    await client.tools().all();
    expect(test.count('tools/list')).toBe(times);
  });

  it('never by a result of a tool', async () => {
    const test = bench({}, { 'tools/call': () => ({ content: [], isError: true }) });
    const client = await test.connect();
    await client.tools().all();
    await client.callTool('a');
    await client.tools().all();
    expect(test.count('tools/list')).toBe(1);
  });
});
