import { otherBounds } from '@tenon/foundation';
import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { describe, expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { notification, Rig, type RigOptions } from '../../test/rig.js';
import type { Endpoint } from './endpoint.js';
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
    shows(
      '2024-11-05/basic/utilities/ping/periodic',
      '2024-11-05/basic/utilities/ping/frequency-configurable',
      '2024-11-05/basic/utilities/ping/not-excessive',
    );
    const { rig, dead } = watched();
    await rig.clock.advance(100);
    for (let round = 1; round <= 3; round++) {
      await rig.clock.advance(100);
      expect(pings(rig)).toHaveLength(round);
      pong(rig);
    }
    expect(dead).toEqual([]);
  });

  test('reports a lost peer once, after the set number of failed pings in a row', async () => {
    shows('2024-11-05/basic/utilities/ping/stale', '2024-11-05/basic/utilities/ping/timeouts-fit');
    const { rig, dead } = watched(otherBounds({ failures: 2 }));
    await rig.clock.advance(1_000);
    expect(dead).toEqual([[rig.endpoint, 'timeout']]);
    expect(pings(rig)).toHaveLength(2);
    expect(rig.clock.waiting).toEqual([]);
    expect(rig.endpoint.state).toBe('open');
  });

  test('is given another chance by each answer', async () => {
    const { rig, dead } = watched(otherBounds({ failures: 2 }));
    for (let round = 0; round < 5; round++) {
      const before = pings(rig).length;
      while (pings(rig).length < before + 2) await rig.clock.advance(100);
      pong(rig);
    }
    expect(dead).toEqual([]);
  });

  test('is alive when it answers with an error', async () => {
    const { rig, dead } = watched(otherBounds({ failures: 1 }));
    await rig.clock.advance(200);
    rig.hand({ jsonrpc: '2.0', id: pings(rig)[0], error: { code: -32_601, message: 'what?' } });
    await rig.clock.advance(50);
    expect(dead).toEqual([]);
  });

  test('is alive when it says anything at all', async () => {
    const { rig, dead } = watched(otherBounds({ failures: 1 }));
    await rig.clock.advance(250);
    expect(pings(rig)).toHaveLength(1);
    rig.hand(notification('notifications/initialized'));
    await rig.clock.advance(100);
    expect(dead).toEqual([]);
  });
});

test('a peer that talks is not pinged', async () => {
  shows('2024-11-05/basic/utilities/ping/not-excessive');
  const { rig } = watched();
  for (let round = 0; round < 10; round++) {
    rig.hand(notification('notifications/initialized'));
    await rig.clock.advance(100);
  }
  expect(pings(rig)).toEqual([]);
});

test.each([
  ['in a revision without pings', { revision: revision20260728, side: 'client' as const }],
  ['before there is a session', { revision: undefined }],
])('sends no ping %s', async (_, more) => {
  const { rig, dead } = watched(otherBounds({ failures: 1 }), more as RigOptions);
  await rig.clock.advance(1_000);
  expect(rig.connection.sent).toEqual([]);
  expect(dead).toEqual([]);
});

test('many peers share one timer, and it ends with the last of them', async () => {
  const { rig, keepAlive, stop } = watched();
  const others = Array.from({ length: 20 }, () => new Rig({ revision: revision20250618 }));
  for (const other of others) keepAlive.watch(other.endpoint);
  expect(rig.clock.waiting).toHaveLength(1);
  for (const other of others) other.endpoint.closed();
  await rig.clock.advance(100);
  expect(rig.clock.waiting).toHaveLength(1);
  stop();
  stop();
  expect(rig.clock.waiting).toEqual([]);
});

test('watching begins again after it ended', async () => {
  const { rig, keepAlive, stop } = watched();
  stop();
  await rig.clock.advance(500);
  expect(pings(rig)).toEqual([]);
  keepAlive.watch(rig.endpoint);
  await rig.clock.advance(200);
  expect(pings(rig)).toHaveLength(1);
});

test('a peer that left during a ping is not reported', async () => {
  const { rig, dead } = watched(otherBounds({ failures: 1 }));
  await rig.clock.advance(250);
  rig.endpoint.closed();
  await rig.clock.advance(1_000);
  expect(dead).toEqual([]);
  expect(rig.clock.waiting).toEqual([]);
});

test.each([{ interval: 0 }, { interval: Number.NaN }])('%j cannot work', (options) => {
  showsBy(options.interval, { '0': '2024-11-05/basic/utilities/ping/frequency-configurable' });
  expect(() => watched(options)).toThrow(RangeError);
});
