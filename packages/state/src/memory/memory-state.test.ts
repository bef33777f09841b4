import { otherBounds } from '@tenon/foundation';
import { expect, it } from 'vitest';
import { StateError } from '../state.js';
import { memoryState } from './memory-state.js';

it('rejects writes past its bounds, keeps its entries, and accepts writes again when entries expire', async () => {
  let now = 0;
  const { kv, log, leases } = memoryState({
    ...otherBounds({ entries: 4 }),
    bytes: 20,
    clock: { now: () => now },
  });
  await kv.put('a/1', '0123456789', { ttl: 100 });
  await log.append('a/2', '01234', { ttl: 100 });
  const full = { name: StateError.name, reason: 'full' };
  await expect(kv.put('a/3', '012345')).rejects.toMatchObject(full);
  await kv.put('a/3', '01234');
  await kv.put('a/1', '9876543210', { ttl: 100 });
  await expect(kv.put('a/1', '9876543210-')).rejects.toMatchObject(full);
  await expect(leases.acquire('a/b', 100)).rejects.toMatchObject(full);
  expect((await kv.get('a/1'))?.value).toBe('9876543210');
  now += 2_000;
  await kv.put('a/4', '012345678901234');
  expect(await leases.acquire('a/b', 100)).toBeDefined();
});

it('gives the bytes of deleted, replaced, trimmed and expired entries back', async () => {
  let now = 0;
  const { kv, log } = memoryState({ ...otherBounds({ entries: 10 }), bytes: 100, clock: { now: () => now } });
  for (let round = 0; round < 50; round++) {
    await kv.put('a/value', 'x'.repeat(40), { ttl: 10 });
    await log.append('a/log', 'y'.repeat(20), { keep: { entries: 2 } });
    if (round % 3 === 0) await kv.delete('a/value');
    if (round % 5 === 0) await log.delete('a/log');
    now += 700;
  }
  await kv.delete('a/value');
  await log.delete('a/log');
  await kv.put('a/all', 'z'.repeat(100));
});

it.each([0, -1, Number.NaN])('rejects %s as a bound', (bound) => {
  expect(() => memoryState({ bytes: bound })).toThrow(RangeError);
});
