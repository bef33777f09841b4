import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../../tooling/suite/services/redis-server.js';
import { reasonOf, unlimited } from '../../test/observed.js';
import { redisState } from '../redis-state.js';

let server: RedisServer;
let state: State;

beforeAll(async () => {
  server = await startRedis();
  state = redisState({ url: server.url, ...unlimited });
});
afterAll(async () => {
  await state.close();
  await server.stop();
});

it('issues the next integer after a token that is ahead of the time, with all its digits', async () => {
  await server.cli('set', 'tenon:{a/ahead}:fence', '9000000000000001');
  const first = await state.leases.acquire('a/ahead', 60_000);
  await first?.release();
  const second = await state.leases.acquire('a/ahead', 60_000);
  expect([first?.token, second?.token]).toEqual([9_000_000_000_000_002, 9_000_000_000_000_003]);
  const late = { name: 'a/ahead', token: 9_000_000_000_000_002 };
  expect(await reasonOf(state.kv.put('a/ahead/x', '', { fence: late }))).toBe('fenced');
});

it('issues a greater token after the server has lost its memory', async () => {
  const before = await state.leases.acquire('a/lost', 60_000);
  await server.cli('flushall');
  const after = await state.leases.acquire('a/lost', 60_000);
  expect(after?.token).toBeGreaterThan(before?.token ?? Number.POSITIVE_INFINITY);
  expect(await before?.renew(60_000)).toBe(false);
});

it('lets every key of a released or expired name expire', async () => {
  const lease = await state.leases.acquire('a/expiring', 60_000);
  for (const key of ['lease', 'fence'])
    expect(Number(await server.cli('pttl', `tenon:{a/expiring}:${key}`))).toBeGreaterThan(0);
  await lease?.release();
  expect(await server.cli('exists', 'tenon:{a/expiring}:lease')).toBe('0');
});
