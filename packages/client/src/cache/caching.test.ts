import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { bench, CachingBench, cacheable, hints, tool } from '../../test/caching-bench.js';
import { type Reply, WireRefusal } from '../../test/scripted-server.js';
import { MemoryCache } from './response-cache.js';

describe.each(cacheable)('%s', (method, params, result) => {
  it('is answered without the server while fresh, and asked for again when stale', async () => {
    showsBy(method, {
      'tools/list': [
        '2026-07-28/server/utilities/caching/ttl-fresh',
        '2026-07-28/server/utilities/caching/ttl-positive',
        '2026-07-28/server/utilities/caching/stale-refetched',
        '2026-07-28/server/utilities/caching/ttl-without-list-changed',
      ],
      'resources/read': '2026-07-28/server/utilities/caching/ttl-fresh',
    });
    const test = bench({}, { [method]: () => ({ ...result, ...hints }) });
    const client = await test.connect();
    const before = test.count(method);
    const first = await client.request(method, params as never);
    await test.clock.advance(999);
    expect(await client.request(method, params as never)).toEqual(first);
    // The description came with the connection.
    expect(test.count(method) - before).toBe(method === 'server/discover' ? 0 : 1);
    await test.clock.advance(1);
    await client.request(method, params as never);
    expect(test.count(method) - before).toBe(method === 'server/discover' ? 1 : 2);
  });

  it('is asked for each time where the server says 0, or less', async () => {
    showsBy(method, {
      'tools/list': '2026-07-28/server/utilities/caching/ttl-zero',
      'resources/read': '2026-07-28/server/utilities/caching/ttl-zero-fetch',
    });
    for (const ttlMs of [0, -5]) {
      const test = bench({}, { [method]: () => ({ ...result, ttlMs, cacheScope: 'public' }) });
      const client = await test.connect();
      const before = test.count(method);
      await client.request(method, params as never);
      await client.request(method, params as never);
      expect(test.count(method) - before).toBe(2);
    }
  });
});

describe('what a server says of freshness', () => {
  it.each([undefined, 0, -1, 1.5, '1000', null])(
    '%s of an older server means stale at once',
    async (ttlMs) => {
      showsBy(ttlMs, { undefined: '2026-07-28/server/utilities/caching/ttl-absent' });
      const listed = () => ({ tools: [], ttlMs, cacheScope: 'public' });
      const test = new CachingBench({ 'tools/list': listed }, revision20251125);
      const client = await test.connect();
      await client.tools().all();
      await client.tools().all();
      expect(test.count('tools/list')).toBe(2);
    },
  );

  it('holds for a day at most', async () => {
    const test = bench({ ttlMs: 1e15 });
    const client = await test.connect();
    await client.tools().all();
    await test.clock.advance(86_399_999);
    await client.tools().all();
    expect(test.count('tools/list')).toBe(1);
    await test.clock.advance(1);
    await client.tools().all();
    expect(test.count('tools/list')).toBe(2);
  });

  it('begins when the answer comes, and does not cause polling', async () => {
    shows(
      '2026-07-28/server/utilities/caching/ttl-positive',
      '2026-07-28/server/utilities/caching/no-polling',
      '2026-07-28/server/utilities/caching/polling-jitter',
    );
    let answer = (_: UnknownObject) => {};
    const test = bench({}, { 'tools/list': () => new Promise((resolve) => (answer = resolve)) });
    const client = await test.connect();
    const first = client.tools().all();
    await test.clock.advance(700);
    answer({ tools: [tool('a')], ...hints });
    await first;
    await test.clock.advance(700);
    expect(await client.tools().all()).toEqual([tool('a')]);
    await test.clock.advance(10_000);
    expect(test.count('tools/list')).toBe(1);
  });
});

describe('a response that is kept', () => {
  it('answers no request with other params', async () => {
    shows('2026-07-28/server/utilities/caching/key');
    const test = bench();
    const client = await test.connect();
    await client.readResource('a:b');
    await client.readResource('a:c');
    await client.tools().page();
    await client.tools().page('x');
    expect([test.count('resources/read'), test.count('tools/list')]).toEqual([2, 2]);
  });

  it('cannot be changed by who reads it', async () => {
    const client = await bench().connect();
    const spoil = async () => {
      const [first] = (await client.tools().all()) as { name: string }[];
      if (first) first.name = 'spoilt';
    };
    await spoil();
    await spoil();
    expect(await client.tools().all()).toEqual([tool('a')]);
  });

  it('is not used with fresh: true, and the new response replaces it', async () => {
    shows(
      '2026-07-28/server/utilities/caching/early-refetch',
      '2026-07-28/server/utilities/caching/snapshot',
    );
    let version = 0;
    const test = bench({}, { 'tools/list': () => ({ tools: [tool(`v${++version}`)], ...hints }) });
    const client = await test.connect();
    await client.tools().all();
    expect(await client.tools({ fresh: true }).all()).toEqual([tool('v2')]);
    expect(await client.tools().all()).toEqual([tool('v2')]);
    expect(test.count('tools/list')).toBe(2);
  });

  it('answers in a batch as well, where there are none on the wire', async () => {
    const test = bench();
    const client = await test.connect();
    await client.tools().all();
    const [list] = client.batch([{ method: 'tools/list', params: {} }]);
    expect((await list).tools).toEqual([tool('a')]);
    expect(test.count('tools/list')).toBe(1);
  });

  it('gives way to one for another audience', async () => {
    const scopes = ['private', 'public', 'private'];
    const listed = () => ({ tools: [tool(`${scopes.length}`)], ttlMs: 1_000, cacheScope: scopes.shift() });
    const client = await bench({}, { 'tools/list': listed }).connect();
    for (const left of ['3', '2', '1']) {
      expect(await client.tools({ fresh: true }).all()).toEqual([tool(left)]);
      expect(await client.tools().all()).toEqual([tool(left)]);
    }
  });

  it('is not reached for where headers or metadata may change the answer', async () => {
    shows('2026-07-28/server/utilities/caching/key');
    const test = bench();
    const client = await test.connect();
    await client.tools().all();
    await client.tools({ headers: { authorization: 'Bearer other' } }).all();
    await client.tools({ meta: { tenant: 'other' } }).all();
    expect(test.count('tools/list')).toBe(3);
  });

  it('keeps what tools promise in force', async () => {
    const outputSchema = { type: 'object', required: ['n'] };
    const test = bench(
      {},
      {
        'tools/list': () => ({ tools: [{ ...tool('a'), outputSchema }], ...hints, cacheScope: 'public' }),
        'tools/call': () => ({ content: [], structuredContent: {} }),
      },
    );
    const cache = new MemoryCache();
    await (await test.connect({ cache })).tools().all();
    const second = await test.connect({ cache });
    await second.tools().all();
    expect(test.count('tools/list')).toBe(1);
    await expect(second.callTool('a')).rejects.toMatchObject({ reason: 'invalid-answer' });
  });

  it('is not an answer for a client that is closed, or for a call that was cancelled', async () => {
    const client = await bench().connect();
    await client.tools().all();
    const gone = AbortSignal.abort();
    await expect(client.tools({ signal: gone }).all()).rejects.toMatchObject({ reason: 'cancelled' });
    await client.close();
    await expect(client.tools().all()).rejects.toMatchObject({ reason: 'closed' });
  });

  it('is not there without a cache', async () => {
    const test = bench();
    const client = await test.connect({ cache: false });
    await client.tools().all();
    await client.tools().all();
    expect(test.count('tools/list')).toBe(2);
  });

  it('is not served stale when the server cannot be asked', async () => {
    shows('2026-07-28/server/utilities/caching/stale-if-error');
    const replies: Reply[] = [() => ({ tools: [], ...hints }), () => new WireRefusal(-32603, 'down')];
    const client = await bench({}, { 'tools/list': (...given) => replies.shift()?.(...given) }).connect();
    await client.tools().all();
    await expect(client.tools({ fresh: true }).all()).rejects.toThrow('down');
  });
});

describe('a response after input requests', () => {
  const requestingInput = {
    action: {
      method: 'elicitation/create',
      params: { message: '?', requestedSchema: { type: 'object', properties: {} } },
    },
  };
  const replied = {
    contents: [{ uri: 'a:b', text: 'for this answer alone' }],
    ttlMs: 60_000,
    cacheScope: 'public',
  };

  it('is not cached', async () => {
    shows('2026-07-28/server/utilities/caching/rounds-not-cached');
    const read: Reply = (params) =>
      params.inputResponses ? replied : { resultType: 'input_required', inputRequests: requestingInput };
    const test = bench({}, { 'resources/read': read });
    const client = await test.connect({ onElicit: () => ({ action: 'accept' }) });
    await client.readResource('a:b');
    await client.readResource('a:b');
    expect(test.count('resources/read')).toBe(4);
  });

  it('is neither stored nor used for a request with inputResponses or requestState', async () => {
    shows('2026-07-28/server/utilities/caching/rounds-not-cached');
    const test = bench();
    const client = await test.connect();
    await client.readResource('a:b');
    for (const more of [{ requestState: 's' }, { inputResponses: {} }, { requestState: 's' }]) {
      await client.request('resources/read', { uri: 'a:b', ...more });
    }
    expect(test.count('resources/read')).toBe(4);
    await client.readResource('a:b');
    expect(test.count('resources/read')).toBe(4);
  });
});
