import { defineMethod, serverPort } from '@tenon/mcp-protocol';
import { SharedMemory } from '@tenon/mcp-state/internal';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { countedState } from '../../test/counted-state.js';
import { WirePeer } from '../../test/wire-peer.js';
import { digestOf } from '../sealing/digest.js';
import { createServer, type Server } from '../server.js';
import type { RateOptions } from './rates.js';
import { RateOutage, SharedRate } from './shared-rate.js';

const search = defineMethod('acme/search', { params: z.object({}), result: z.object({ found: z.number() }) });

/** Servers that share their state, each with one client. All calls are of one caller unless they name another. */
async function processes(servers: number, calls: NonNullable<RateOptions['calls']>) {
  const clock = new FakeClock();
  const memory = new SharedMemory({ clock });
  const errors: string[] = [];
  const node = async () => {
    const port = countedState(memory.open());
    const { state } = port;
    const by: RateOptions['by'] = (request) => String(request.meta('com.example/caller') ?? 'ann');
    const server = createServer(
      { name: 'test', version: '1' },
      {
        state,
        clock,
        rates: { calls, completions: calls, by },
        onError: (error, where) => errors.push(`${where}: ${error}`),
      },
    )
      .tool('hello', {}, () => 'Hello')
      .prompt('letter', { args: z.object({ to: z.string() }), complete: { to: () => ['Ann'] } }, () => 'Dear')
      .handle(search, () => ({ found: 1 })) as unknown as Server;
    onTestFinished(() => server.close());
    const peer = await WirePeer.open(server);
    await server[serverPort].processes?.joined;
    // The process has written its id.
    port.calls.length = 0;
    const call = async (caller = 'ann') =>
      (await peer.request('tools/call', { name: 'hello' }, { 'com.example/caller': caller })).error;
    /** Returns how many of so many calls at once were admitted. */
    const admitted = async (count: number, caller?: string) => {
      const errors = await Promise.all(Array.from({ length: count }, () => call(caller)));
      return errors.filter((error) => error === undefined).length;
    };
    return { call, admitted, port, peer };
  };
  const nodes = await Promise.all(Array.from({ length: servers }, node));
  return { clock, memory, errors, nodes };
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

describe('a rate that processes share', () => {
  it('admits a burst once, however its calls are spread', async () => {
    const { nodes, errors } = await processes(3, { perSecond: 10, burst: 300 });
    let admitted = 0;
    for (let turn = 0; turn < 200; turn++)
      for (const one of nodes) if ((await one.call()) === undefined) admitted++;
    expect(admitted).toBe(300);
    expect(errors).toEqual([]);
  });

  it('admits a burst once when all processes take from it at the same time', async () => {
    const { nodes, clock } = await processes(4, { perSecond: 10, burst: 300 });
    expect(sum(await Promise.all(nodes.map((one) => one.admitted(200))))).toBe(300);
    await clock.advance(1_000);
    expect(sum(await Promise.all(nodes.map((one) => one.admitted(200))))).toBe(10);
  });

  it('names the wait for the next token, and keeps to it in every process', async () => {
    const { nodes, clock } = await processes(2, { perSecond: 2, burst: 3 });
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    expect(await one.admitted(3)).toBe(3);
    expect(await other.call()).toMatchObject({ code: -31004, data: { retryAfterMs: 500 } });
    await clock.advance(499);
    expect(await other.call()).toMatchObject({ data: { retryAfterMs: 1 } });
    await clock.advance(1);
    expect(await other.call()).toBeUndefined();
    expect(await one.call()).toMatchObject({ data: { retryAfterMs: 500 } });
  });

  it('counts callers separately', async () => {
    const { nodes } = await processes(2, { perSecond: 1, burst: 3 });
    expect(await nodes[0]?.admitted(5, 'ann')).toBe(3);
    expect(await nodes[1]?.admitted(5, 'bob')).toBe(3);
    expect(await nodes[1]?.admitted(5, 'ann')).toBe(0);
  });

  it('counts completions and custom methods too', async () => {
    const { nodes } = await processes(2, { perSecond: 1, burst: 1 });
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    const argument = { name: 'to', value: '' };
    const complete = { ref: { type: 'ref/prompt', name: 'letter' }, argument };
    const completed = await one.peer.request('completion/complete', complete);
    expect(completed.result?.completion).toMatchObject({ values: ['Ann'] });
    expect((await other.peer.request('completion/complete', complete)).error?.code).toBe(-31004);
    expect((await one.peer.request('acme/search')).result).toMatchObject({ found: 1 });
    expect((await other.peer.request('acme/search')).error?.code).toBe(-31004);
    expect((await other.call())?.code).toBe(-31004);
  });

  it('counts names that are too long as one caller', async () => {
    const { nodes } = await processes(2, { perSecond: 1, burst: 3 });
    expect(await nodes[0]?.admitted(2, 'a'.repeat(300))).toBe(2);
    expect(await nodes[1]?.admitted(2, 'b'.repeat(300))).toBe(1);
  });

  it('never admits more in any time than the burst and the tokens of that time and one second', async () => {
    const limit = { perSecond: 20, burst: 100 };
    const { nodes, clock } = await processes(4, limit);
    let state = 7;
    const random = () => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const admitted: number[] = [];
    for (let step = 0; step < 600; step++) {
      const one = nodes[Math.floor(random() * nodes.length)];
      const count = (await one?.admitted(Math.floor(random() ** 3 * 30))) ?? 0;
      for (let index = 0; index < count; index++) admitted.push(clock.now());
      await clock.advance(Math.floor(random() ** 2 * 400));
    }
    let most = 0;
    for (const [first, start] of admitted.entries())
      for (let last = first; last < admitted.length; last++) {
        const time = (admitted[last] as number) - start;
        most = Math.max(most, last - first + 1 - (limit.perSecond * (time + 1_000)) / 1_000);
      }
    expect(most).toBeLessThanOrEqual(limit.burst);
    // From the beginning the sum is exact.
    const total = limit.burst + (limit.perSecond * (admitted.at(-1) as number)) / 1_000;
    expect(admitted.length).toBeLessThanOrEqual(total);
    expect(admitted.length).toBeGreaterThan(total * 0.8);
  });
});

it('refuses a caller for a moment when other processes take its tokens all the time', async () => {
  const state = new SharedMemory().open();
  const errors: unknown[] = [];
  let now = 0;
  const sharing = { clock: { now: () => now }, onError: (error: unknown) => errors.push(error) };
  const rate = new SharedRate('calls', { perSecond: 1, burst: 3 }, new RateOutage({ ...sharing, state }));
  // No pauses between attempts.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const write = vi.spyOn(state.kv, 'compareAndSet').mockResolvedValue(undefined);
  const holder = {};
  expect(await rate.take(holder, ['ann'])).toBe(25);
  write.mockRestore();
  now = 25;
  expect(await rate.take(holder, ['ann'])).toBe(0);
  expect(errors).toEqual([]);
});

describe('a bucket that another program has written', () => {
  it.each(['text', '', '{}', '1e999'])('is full if it is %j', async (text) => {
    const memory = new SharedMemory();
    const errors: unknown[] = [];
    const sharing = { clock: { now: () => 0 }, onError: (error: unknown) => errors.push(error) };
    const outage = new RateOutage({ ...sharing, state: memory.open() });
    const rate = new SharedRate('calls', { perSecond: 1, burst: 3 }, outage);
    await memory.open().kv.put(`rate/${await digestOf(['ann'])}/calls`, text);
    const holder = {};
    const waits: unknown[] = [];
    for (let call = 0; call < 4; call++) waits.push(await rate.take(holder, ['ann']));
    expect(waits).toEqual([0, 0, 0, 1_000]);
    expect(errors).toEqual([]);
  });
});

describe('the tokens that a process takes ahead', () => {
  it('are at most a 32nd of the burst, and lost for an idle caller after a second', async () => {
    const { nodes, clock } = await processes(2, { perSecond: 0.001, burst: 320 });
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    // Takes 1, 2, 4, 8, 10 and 10.
    for (let call = 0; call < 26; call++) expect(await one.call()).toBeUndefined();
    await clock.advance(1_000);
    expect(await other.admitted(400)).toBe(320 - 35);
    expect(await one.call()).toMatchObject({ code: -31004 });
  });

  it('are as many as were used, once some were lost', async () => {
    const { nodes, clock } = await processes(2, { perSecond: 0.001, burst: 320 });
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    // Takes 1, 2, 4 and 8, and loses 6; then 2.
    for (let call = 0; call < 9; call++) await one.call();
    await clock.advance(1_000);
    await one.call();
    expect(await other.admitted(400)).toBe(320 - 17);
    // The second of the 2.
    expect(await one.admitted(5)).toBe(1);
  });

  it('save round trips: 14 calls of the state for 1,000 calls in a row, none for a caller who is refused', async () => {
    const { nodes } = await processes(1, { perSecond: 0.001, burst: 5_000 });
    const [one] = nodes as [(typeof nodes)[0]];
    for (let call = 0; call < 1_000; call++) await one.call();
    expect(one.port.calls).toEqual(['get', ...Array(13).fill('compareAndSet')]);
    for (let call = 0; call < 4_000; call++) await one.call();
    expect((await one.call())?.code).toBe(-31004);
    one.port.calls.length = 0;
    expect(await one.admitted(1_000)).toBe(0);
    expect(one.port.calls).toEqual([]);
  });

  it('cost one round trip for calls that wait for it together', async () => {
    const { nodes } = await processes(1, { perSecond: 1, burst: 1_000 });
    const [one] = nodes as [(typeof nodes)[0]];
    expect(await one.admitted(500)).toBe(500);
    expect(one.port.calls).toEqual(['get', 'compareAndSet']);
  });
});

describe('an outage of the state', () => {
  it('lets each process count alone, is reported once, and ends when the state is back', async () => {
    const { nodes, memory, errors, clock } = await processes(2, { perSecond: 1, burst: 3 });
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]];
    expect(await one.admitted(5)).toBe(3);
    memory.interrupt();
    expect(await one.admitted(5)).toBe(0);
    await clock.advance(1_000);
    expect(await Promise.all(nodes.map((node) => node.admitted(5)))).toEqual([3, 3]);
    const rates = errors.filter((error) => error.startsWith('rates: '));
    expect(rates).toHaveLength(2);
    expect(rates[0]).toContain('Rates are counted by this process alone');
    memory.restore();
    // The bucket has one token, of the second that passed.
    expect([await other.admitted(5), await one.admitted(5)]).toEqual([1, 0]);
    memory.interrupt();
    await clock.advance(1_000);
    await one.call();
    expect(errors.filter((error) => error.startsWith('rates: '))).toHaveLength(3);
  });

  it('is noticed by a call that fails, and tried again once a second while the state says it is ready', async () => {
    const { nodes, clock, errors } = await processes(1, { perSecond: 1, burst: 3 });
    const [one] = nodes as [(typeof nodes)[0]];
    one.port.fails = true;
    expect(await one.admitted(5)).toBe(3);
    expect(one.port.calls).toEqual(['get']);
    await clock.advance(999);
    await one.call();
    expect(one.port.calls).toEqual(['get']);
    await clock.advance(1);
    await one.call();
    expect(one.port.calls).toEqual(['get', 'get']);
    one.port.fails = false;
    await clock.advance(1_000);
    for (let call = 0; call < 3; call++) expect(await one.call()).toBeUndefined();
    expect((await one.call())?.code).toBe(-31004);
    expect(errors).toEqual([expect.stringContaining('rates: ')]);
  });
});
