import { systemClock } from '@tenon/foundation';
import type { RpcError } from '@tenon/mcp-protocol';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { everyRevision, WirePeer } from '../../test/wire-peer.js';
import { createServer, type Server } from '../server.js';
import { CallRate, type RateOptions } from './rates.js';

const rates = { calls: { perSecond: 2, burst: 3 }, completions: { perSecond: 1 } };

function make(given: false | RateOptions = rates): { server: Server; clock: FakeClock } {
  const clock = new FakeClock();
  const server = createServer(
    { name: 'test', version: '1' },
    { rates: given, clock, onError: () => undefined },
  )
    .tool('hello', {}, () => 'Hello')
    .prompt(
      'letter',
      { args: z.object({ to: z.string() }), complete: { to: () => ['Ann'] } },
      () => 'Dear',
    ) as unknown as Server;
  return { server, clock };
}

const call = (peer: WirePeer) => peer.request('tools/call', { name: 'hello' });
const ref = { type: 'ref/prompt', name: 'letter' };
const complete = (peer: WirePeer) =>
  peer.request('completion/complete', { ref, argument: { name: 'to', value: '' } });

/** The codes of the errors, and 0 for each success. */
async function outcomes(times: number, send: () => Promise<{ error?: { code: number } }>): Promise<number[]> {
  const answers: number[] = [];
  for (let time = 0; time < times; time++) answers.push((await send()).error?.code ?? 0);
  return answers;
}

describe.each(everyRevision)('in $id', (revision) => {
  test('tool calls are limited, and the refusal names the wait', async () => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/server/tools/rate-limited',
      '2026-07-28': '2026-07-28/server/tools/rate-limit',
    });
    const { server, clock } = make();
    const peer = await WirePeer.open(server, revision);
    expect(await outcomes(3, () => call(peer))).toEqual([0, 0, 0]);
    expect((await call(peer)).error).toEqual({
      code: -31004,
      message: 'Too many tool calls: try again in 1 s.',
      data: { retryAfterMs: 500 },
    });
    await clock.advance(499);
    expect((await call(peer)).error?.data).toEqual({ retryAfterMs: 1 });
    await clock.advance(1);
    expect(await outcomes(2, () => call(peer))).toEqual([0, -31004]);
  });

  test('completions are limited, and calls besides them are not', async () => {
    showsBy(revision.id, {
      '2024-11-05': '2024-11-05/server/utilities/completion/rate-limited',
      '2026-07-28': [
        '2026-07-28/server/utilities/completion/rate-limit',
        '2026-07-28/server/utilities/completion/security-rate-limit',
      ],
    });
    const { server } = make();
    const peer = await WirePeer.open(server, revision);
    expect(await outcomes(2, () => complete(peer))).toEqual([0, -31004]);
    expect((await complete(peer)).error?.message).toBe('Too many completion requests: try again in 1 s.');
    expect(await outcomes(1, () => call(peer))).toEqual([0]);
    expect((await peer.request('tools/list')).result?.tools).toHaveLength(1);
  });

  test('one peer does not use up the rate of another', async () => {
    const { server } = make();
    const [ann, bob] = [await WirePeer.open(server, revision), await WirePeer.open(server, revision)];
    expect(await outcomes(4, () => call(ann))).toEqual([0, 0, 0, -31004]);
    expect(await outcomes(1, () => call(bob))).toEqual([0]);
  });
});

test('calls of a tool that does not exist count as well', async () => {
  const peer = await WirePeer.open(make().server);
  await outcomes(3, () => peer.request('tools/call', { name: 'no-such-tool' }));
  expect(await outcomes(1, () => call(peer))).toEqual([-31004]);
});

test('what is counted together can be decided: here, everybody of one tenant', async () => {
  const { server } = make({
    ...rates,
    by: (request) => request.meta('com.example/tenant') as string | undefined,
  });
  const peers = [await WirePeer.open(server), await WirePeer.open(server)] as const;
  const as = (peer: WirePeer, tenant?: string) =>
    peer.request(
      'tools/call',
      { name: 'hello' },
      tenant === undefined ? {} : { 'com.example/tenant': tenant },
    );
  await outcomes(3, () => as(peers[0], 'blue'));
  expect(await outcomes(1, () => as(peers[1], 'blue'))).toEqual([-31004]);
  expect(await outcomes(1, () => as(peers[0], 'green'))).toEqual([0]);
  expect(await outcomes(4, () => as(peers[0]))).toEqual([0, 0, 0, -31004]);
});

test('names of any length are one when they are too long to be kept', async () => {
  let length = 300;
  const { server } = make({ ...rates, by: () => 'x'.repeat(++length) });
  const peer = await WirePeer.open(server);
  expect(await outcomes(4, () => call(peer))).toEqual([0, 0, 0, -31004]);
});

test.each([
  ['all', false as const],
  ['one', { calls: false as const }],
])('%s can be switched off', async (_, given) => {
  const peer = await WirePeer.open(make(given).server);
  expect(await outcomes(6_000, () => call(peer))).not.toContain(-31004);
});

test('limits are on by default', async () => {
  shows('2024-11-05/server/tools/rate-limited', '2026-07-28/server/tools/rate-limit');
  const clock = new FakeClock();
  const server = createServer({ name: 'test', version: '1' }, { clock }).tool('hello', {}, () => 'Hello');
  const peer = await WirePeer.open(server as unknown as Server);
  const codes = await outcomes(5_001, () => call(peer));
  expect(codes.indexOf(-31004)).toBe(5_000);
});

test('completions are limited by default', async () => {
  shows(
    '2024-11-05/server/utilities/completion/rate-limited',
    '2026-07-28/server/utilities/completion/rate-limit',
    '2026-07-28/server/utilities/completion/security-rate-limit',
  );
  const clock = new FakeClock();
  const server = createServer({ name: 'test', version: '1' }, { clock }).prompt(
    'letter',
    { args: z.object({ to: z.string() }), complete: { to: () => ['Ann'] } },
    () => 'Dear',
  );
  const peer = await WirePeer.open(server as unknown as Server);
  const codes = await outcomes(1_001, () => complete(peer));
  expect(codes.indexOf(-31004)).toBe(1_000);
  await clock.advance(10);
  expect(await outcomes(2, () => complete(peer))).toEqual([0, -31004]);
});

test('callers of the same id from different issuers have a rate each', () => {
  const limit = { perSecond: 1, burst: 1 };
  const rate = new CallRate('tool calls', new FakeClock(), { limit, by: undefined });
  const admit = (principal: { readonly id: string; readonly issuer?: string }) => {
    void rate.admit({ exchange: { facts: { principal } } } as never);
  };
  const ann = { id: 'ann', issuer: 'https://one.example' };
  admit(ann);
  expect(() => admit(ann)).toThrow('Too many tool calls');
  admit({ id: 'ann', issuer: 'https://other.example' });
  admit({ id: 'ann' });
  expect(() => admit({ id: 'ann' })).toThrow('Too many tool calls');
});

test.each([
  [{ calls: { perSecond: 0 } }, 'rates.calls: perSecond must be a positive number.'],
  [{ calls: { perSecond: 1, burst: -1 } }, 'rates.calls: burst must be a positive number.'],
  [{ reads: { perSecond: 1 } }, 'Unknown rate "reads". Known: calls, completions, by.'],
  [{ by: 'tenant' }, 'rates.by must be a function of the request.'],
  [{ by: async () => 'acme' }, 'rates.by must answer at once, and this is an async function'],
  [true, 'rates must be false, or an object such as'],
  [{ calls: { perSecond: 1, brust: 5 } }, 'rates.calls: there is no option "brust".'],
])('%j is refused when the server is made', (given, message) => {
  expect(() => make(given as RateOptions)).toThrow(message);
});

test('names a wait of at least one second when the next call is possible by then', () => {
  let time = 0;
  const clock = { ...systemClock, now: () => (time += 300) };
  const rate = new CallRate('tool calls', clock, { limit: { perSecond: 1 }, by: () => 'ada' });
  const refusals: RpcError[] = [];
  for (let count = 0; count < 20; count++)
    try {
      void rate.admit({ exchange: { facts: {} } } as never);
    } catch (error) {
      refusals.push(error as RpcError);
    }
  expect(refusals.length).toBeGreaterThan(0);
  for (const { message, data } of refusals) {
    expect(message).toBe('Too many tool calls: try again in 1 s.');
    expect(data).toMatchObject({ retryAfterMs: expect.toSatisfy((wait: number) => wait >= 1) });
  }
});
