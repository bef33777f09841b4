import { memoryState } from '@tenon/mcp-state';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { latestStateless, WirePeer } from '../../test/wire-peer.js';
import type { ServerOptions } from '../options.js';
import { createServer } from '../server.js';

/** A shop that takes money for whatever is ordered, and counts how often. */
async function shop(options: ServerOptions = {}, paid: unknown[] = []) {
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
  onTestFinished(() => server.close());
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
  test('runs later steps again by default, with the stored values of once', async () => {
    const { call, open, paid } = await shop();
    const state = await open();
    for (let use = 0; use < 3; use++) expect((await call(state)).result?.isError).not.toBe(true);
    expect(paid).toEqual(['order 1', 'order 1', 'order 1']);
  });

  test('is rejected with singleUseState, with the reason and the fix', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-once');
    const { call, open, paid, reported } = await shop({ singleUseState: true });
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
    shows('2026-07-28/basic/patterns/mrtr/state-once');
    const { call, open, paid } = await shop({ singleUseState: true });
    const state = await open();
    const answers = await Promise.all([call(state), call(state), call(state)]);
    expect(answers.filter(({ error }) => error?.code === -32602)).toHaveLength(2);
    expect(paid).toEqual(['order 1']);
  });

  test('is accepted after a request with rejected answers', async () => {
    const { call, open, peer } = await shop({ singleUseState: true });
    const requestState = await open();
    const bad = { name: 'order', requestState, inputResponses: { sure: { roots: 'all' } } };
    expect((await peer.request('tools/call', bad)).error?.code).toBe(-32602);
    expect((await call(requestState)).result?.content?.[0]?.text).toBe('order 1');
  });

  test('is rejected with state in memory', async () => {
    const { call, open } = await shop({ singleUseState: true, state: memoryState() });
    const state = await open();
    expect((await call(state)).error).toBeUndefined();
    expect((await call(state)).error?.code).toBe(-32602);
  });
});

describe('a state of servers that share their state', () => {
  const stateKeys = ['7'.repeat(64)];

  /** Two processes of one shop. */
  async function shops() {
    const memory = new SharedMemory();
    const paid: unknown[] = [];
    const one = await shop({ singleUseState: true, stateKeys, state: memory.open() }, paid);
    const other = await shop({ singleUseState: true, stateKeys, state: memory.open() }, paid);
    return { memory, paid, one, other };
  }

  test('is rejected by one server when the other has used it', async () => {
    shows('2026-07-28/basic/patterns/mrtr/state-once');
    const { one, other, paid } = await shops();
    const state = await one.open();
    expect((await one.call(state)).error).toBeUndefined();
    expect((await other.call(state)).error?.code).toBe(-32602);
    expect(paid).toEqual(['order 1']);
  });

  test('is accepted for one of two requests to both at the same time', async () => {
    const { one, other, paid } = await shops();
    const state = await one.open();
    const answers = await Promise.all([one.call(state), other.call(state)]);
    expect(answers.filter(({ error }) => error?.code === -32602)).toHaveLength(1);
    expect(paid).toHaveLength(1);
  });

  test('is rejected with -31001 when the state is unavailable, and works later', async () => {
    const { memory, one, paid } = await shops();
    const state = await one.open();
    memory.interrupt();
    expect((await one.call(state)).error).toMatchObject({
      code: -31001,
      message: expect.stringMatching(/requestState.*try again later/),
    });
    expect([paid, one.reported.map(String)]).toEqual([[], ['StateError: State: it was interrupted.']]);
    memory.restore();
    expect((await one.call(state)).error).toBeUndefined();
  });
});

test('rejects singleUseState when it is not true or false', async () => {
  await expect(shop({ singleUseState: {} as boolean })).rejects.toThrow(
    'singleUseState must be true or false',
  );
});
