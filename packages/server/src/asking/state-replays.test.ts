import { describe, expect, test } from 'vitest';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import { MemoryReplayStore, type ReplayStore } from '../index.js';
import type { ServerOptions } from '../options.js';
import { createServer } from '../server.js';

/** A shop that takes money for whatever is ordered, and counts how often. */
async function shop(options: ServerOptions = {}) {
  const paid: unknown[] = [];
  const reported: unknown[] = [];
  const server = createServer(
    { name: 'shop', version: '1' },
    { onError: (error) => void reported.push(error), ...options },
  ).tool('order', {}, async (_, ctx) => {
    const order = await ctx.once('order', () => `order ${paid.length + 1}`);
    await ctx.roots('sure');
    return ctx.once('pay', () => {
      paid.push(order);
      return order;
    });
  });
  const peer = await WirePeer.open(server, latestStateless, { roots: {} });
  const call = (requestState?: string) =>
    peer.request('tools/call', {
      name: 'order',
      ...(requestState !== undefined && { requestState, inputResponses: { sure: { roots: [] } } }),
    });
  const open = async () => String((await call()).result?.requestState);
  return { call, open, peer, paid, reported };
}

describe('a state that is used again', () => {
  test('runs what follows again by default, with the values that once kept before it was sealed', async () => {
    const { call, open, paid } = await shop();
    const state = await open();
    for (let use = 0; use < 3; use++) expect((await call(state)).result?.isError).not.toBe(true);
    expect(paid).toEqual(['order 1', 'order 1', 'order 1']);
  });

  test('is refused with a replay store, by what is wrong and what to do', async () => {
    const { call, open, paid, reported } = await shop({ stateReplays: new MemoryReplayStore() });
    const state = await open();
    expect((await call(state)).result?.content?.[0]?.text).toBe('order 1');
    for (let use = 0; use < 3; use++) {
      expect((await call(state)).error).toMatchObject({
        code: -32602,
        message: 'params.requestState: was used before, and can be used once: make the request anew.',
      });
    }
    // The same bytes written in another way are the same state.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const at = last.indexOf(state.at(-1) ?? '');
    if (state.length % 4 !== 0)
      expect((await call(state.slice(0, -1) + last[at ^ 1])).error?.code).toBe(-32602);
    expect(paid).toEqual(['order 1']);
    expect((await call(await open())).result?.content?.[0]?.text).toBe('order 2');
    expect(reported).toEqual([]);
  });

  test('by two requests at the same time is accepted for one', async () => {
    const { call, open, paid } = await shop({ stateReplays: new MemoryReplayStore() });
    const state = await open();
    const answers = await Promise.all([call(state), call(state), call(state)]);
    expect(answers.filter(({ error }) => error?.code === -32602)).toHaveLength(2);
    expect(paid).toEqual(['order 1']);
  });

  test('is accepted after a request whose answers were refused', async () => {
    const { call, open, peer } = await shop({ stateReplays: new MemoryReplayStore() });
    const requestState = await open();
    const bad = { name: 'order', requestState, inputResponses: { sure: { roots: 'all' } } };
    expect((await peer.request('tools/call', bad)).error?.code).toBe(-32602);
    expect((await call(requestState)).result?.content?.[0]?.text).toBe('order 1');
  });

  test('is remembered for as long as it can be opened, in the share of who got it', async () => {
    const asked: [owner: string, id: string, ttl: number][] = [];
    const store: ReplayStore = {
      remember: async (...given) => {
        asked.push(given);
        return true;
      },
    };
    const { call, open } = await shop({ stateReplays: store, stateLifetime: 5_000 });
    const state = await open();
    await call(state);
    await call(await open());
    expect(asked.map(([owner]) => owner)).toEqual(['', '']);
    expect(asked[0]?.[1]).not.toBe(asked[1]?.[1]);
    for (const [, , ttl] of asked) expect(ttl > 0 && ttl <= 5_000).toBe(true);
  });
});

test('a store that cannot tell refuses the request, and is reported', async () => {
  const failing = { remember: () => Promise.reject(new Error('down')) };
  const { call, open, paid, reported } = await shop({ stateReplays: failing });
  const { error } = await call(await open());
  expect(error).toMatchObject({
    code: -31001,
    message: expect.stringMatching(/requestState.*try again later/),
  });
  expect([paid, reported.map(String)]).toEqual([[], ['Error: down']]);
});

test('a store without the function it needs is refused when the server is made', async () => {
  await expect(shop({ stateReplays: {} as ReplayStore })).rejects.toThrow(
    /stateReplays must have a function/,
  );
});
