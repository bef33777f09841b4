import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { notification, Rig, type RigOptions } from '../../test/rig.js';
import type { Endpoint } from '../endpoint/endpoint.js';
import { KeepAlive, type KeepAliveOptions } from './keep-alive.js';

function watched(options: Partial<KeepAliveOptions> = {}, more: RigOptions = {}) {
  const rig = new Rig({ revision: revision20250618, ...more });
  const dead: [Endpoint, string][] = [];
  const keepAlive = new KeepAlive({ interval: 100, ...options }, rig.clock, (endpoint, error) =>
    dead.push([endpoint, error.reason]),
  );
  return { rig, dead, keepAlive, stop: keepAlive.watch(rig.endpoint) };
}

const pings = (rig: Rig) => rig.connection.sent.filter((one) => one.method === 'ping').map((one) => one.id);
const pong = (rig: Rig) => rig.hand({ jsonrpc: '2.0', id: pings(rig).at(-1), result: {} });

describe('a silent peer', () => {
  test('is pinged once in each interval as long as it answers', async () => {
    const { rig, dead } = watched();
    await rig.clock.pass(100);
    for (let round = 1; round <= 3; round++) {
      await rig.clock.pass(100);
      expect(pings(rig)).toHaveLength(round);
      pong(rig);
    }
    expect(dead).toEqual([]);
  });

  test('counts as gone after so many pings in a row, and is told of once', async () => {
    const { rig, dead } = watched({ failures: 2 });
    await rig.clock.pass(1_000);
    expect(dead).toEqual([[rig.endpoint, 'timeout']]);
    expect(pings(rig)).toHaveLength(2);
    expect(rig.clock.armed).toBe(0);
    expect(rig.endpoint.state).toBe('open');
  });

  test('is given another chance by each answer', async () => {
    const { rig, dead } = watched({ failures: 2 });
    for (let round = 0; round < 5; round++) {
      const before = pings(rig).length;
      while (pings(rig).length < before + 2) await rig.clock.pass(100);
      pong(rig);
    }
    expect(dead).toEqual([]);
  });

  test('is alive when it answers with an error', async () => {
    const { rig, dead } = watched({ failures: 1 });
    await rig.clock.pass(200);
    rig.hand({ jsonrpc: '2.0', id: pings(rig)[0], error: { code: -32_601, message: 'what?' } });
    await rig.clock.pass(50);
    expect(dead).toEqual([]);
  });

  test('is alive when it says anything at all', async () => {
    const { rig, dead } = watched({ failures: 1 });
    await rig.clock.pass(250);
    expect(pings(rig)).toHaveLength(1);
    rig.hand(notification('notifications/initialized'));
    await rig.clock.pass(100);
    expect(dead).toEqual([]);
  });
});

test('a peer that talks is not pinged', async () => {
  const { rig } = watched();
  for (let round = 0; round < 10; round++) {
    rig.hand(notification('notifications/initialized'));
    await rig.clock.pass(100);
  }
  expect(pings(rig)).toEqual([]);
});

test.each([
  ['in a revision without pings', { revision: revision20260728, side: 'client' as const }],
  ['before there is a session', { revision: undefined }],
])('nobody is pinged %s', async (_, more) => {
  const { rig, dead } = watched({ failures: 1 }, more as RigOptions);
  await rig.clock.pass(1_000);
  expect(rig.connection.sent).toEqual([]);
  expect(dead).toEqual([]);
});

test('many peers share one timer, and it ends with the last of them', async () => {
  const { rig, keepAlive, stop } = watched();
  const others = Array.from({ length: 20 }, () => new Rig({ revision: revision20250618 }));
  for (const other of others) keepAlive.watch(other.endpoint);
  expect(rig.clock.armed).toBe(1);
  for (const other of others) other.endpoint.closed();
  await rig.clock.pass(100);
  expect(rig.clock.armed).toBe(1);
  stop();
  stop();
  expect(rig.clock.armed).toBe(0);
});

test('watching begins again after it ended', async () => {
  const { rig, keepAlive, stop } = watched();
  stop();
  await rig.clock.pass(500);
  expect(pings(rig)).toEqual([]);
  keepAlive.watch(rig.endpoint);
  await rig.clock.pass(200);
  expect(pings(rig)).toHaveLength(1);
});

test('a peer that left while it was asked is not told of', async () => {
  const { rig, dead } = watched({ failures: 1 });
  await rig.clock.pass(250);
  rig.endpoint.closed();
  await rig.clock.pass(1_000);
  expect(dead).toEqual([]);
  expect(rig.clock.armed).toBe(0);
});

test.each([{ interval: 0 }, { interval: Number.NaN }, { failures: 0 }])('%j cannot work', (options) => {
  expect(() => watched(options)).toThrow(RangeError);
});
