import type { State } from '@tenon/mcp-state';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RedisServer, startRedis } from '../../../../tooling/suite/services/redis-server.js';
import { redisState } from '../redis-state.js';

let server: RedisServer;
let state: State;

beforeAll(async () => {
  server = await startRedis();
  state = redisState(server.url);
});
afterAll(async () => {
  await state.close();
  await server.stop();
});

it('rejects an earlier version that is the beginning of the present one', async () => {
  const { kv } = state;
  const first = await kv.put('a/stale', 'first');
  let present = first;
  while (present === first || !present.startsWith(first)) present = await kv.put('a/stale', 'present');
  expect(await kv.compareAndSet('a/stale', 'late', { expected: first })).toBeUndefined();
  expect(await kv.delete('a/stale', first)).toBe(false);
  expect(await kv.get('a/stale')).toEqual({ value: 'present', version: present });
  expect(await kv.delete('a/stale', present)).toBe(true);
});
