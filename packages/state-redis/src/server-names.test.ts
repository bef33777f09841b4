import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type RedisServer, startRedis } from '../../../tooling/suite/services/redis-server.js';
import { FakeClock } from '../../testing/src/fake-clock.js';
import type { RedisStateOptions } from './redis-options.js';
import { redisState } from './redis-state.js';

let server: RedisServer;

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());

/** Returns the state of a server with a name. */
async function stateOf(name: string, options: Partial<RedisStateOptions> = {}): Promise<State> {
  const state = redisState({ url: server.url, ...options });
  const node = state.join?.({ name, clock: new FakeClock(), onError: () => {} });
  onTestFinished(async () => {
    await node?.close();
    await state.close();
  });
  await node?.joined;
  return node?.state ?? state;
}

it('keeps servers with different names apart by default', async () => {
  const [orders, same, bills] = [await stateOf('orders'), await stateOf('orders'), await stateOf('bills')];
  await orders.kv.put('session/a/record', 'of orders');
  expect((await same.kv.get('session/a/record'))?.value).toBe('of orders');
  expect(await bills.kv.get('session/a/record')).toBeUndefined();
  expect(await server.cli('exists', 'tenon:{orders:session/a}:kv:record')).toBe('1');
});

it('uses the keys of the prefix for every name if the prefix is set', async () => {
  const prefix = { prefix: 'tenon' };
  const [orders, bills] = [await stateOf('orders', prefix), await stateOf('bills', prefix)];
  await orders.kv.put('session/b/record', 'of both');
  expect((await bills.kv.get('session/b/record'))?.value).toBe('of both');
  expect(await server.cli('exists', 'tenon:{session/b}:kv:record')).toBe('1');
});
