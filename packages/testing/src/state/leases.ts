import { expect } from 'vitest';
import { failureOf, type StateTest } from './backend.js';

export const leaseTests: readonly StateTest[] = [
  [
    'is held by one holder at a time, and is free after its release',
    async ({ one, other, name }) => {
      const lease = await one.leases.acquire(name(), 60_000);
      expect(lease?.name).toBe(name());
      expect(await other.leases.acquire(name(), 60_000)).toBeUndefined();
      expect(await one.leases.acquire(name(), 60_000)).toBeUndefined();
      expect(await lease?.release()).toBe(true);
      expect(await lease?.release()).toBe(false);
      expect(await lease?.renew(1_000)).toBe(false);
      const next = await other.leases.acquire(name(), 60_000);
      expect(next?.token).toBeGreaterThan(lease?.token ?? Number.POSITIVE_INFINITY);
      await next?.release();
    },
  ],
  [
    'is free when its time is over, and lost to its holder',
    async ({ one, other, name, advance }) => {
      const lease = await one.leases.acquire(name(), 200);
      await advance(250);
      const next = await other.leases.acquire(name(), 60_000);
      expect(next).toBeDefined();
      expect(await lease?.renew(1_000)).toBe(false);
      expect(await lease?.release()).toBe(false);
      expect(await next?.renew(60_000)).toBe(true);
      await next?.release();
    },
  ],
  [
    'lasts longer when renewed',
    async ({ one, other, name, advance }) => {
      const lease = await one.leases.acquire(name(), 2_000);
      await advance(100);
      expect(await lease?.renew(60_000)).toBe(true);
      await advance(2_000);
      expect(await other.leases.acquire(name(), 1_000)).toBeUndefined();
      await lease?.release();
    },
  ],
  [
    'is lost for good after it expired, even if nobody acquired it',
    async ({ one, name, advance }) => {
      const lease = await one.leases.acquire(name(), 100);
      await advance(150);
      expect(await lease?.renew(60_000)).toBe(false);
    },
  ],
  [
    'is acquired by exactly one of many',
    async ({ one, other, name }) => {
      const leases = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? one : other).leases.acquire(name(), 60_000),
        ),
      );
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    },
  ],
  [
    'fences writes of an earlier holder',
    async ({ one, other, name, advance }) => {
      const lease = await one.leases.acquire(name(), 100);
      const early = { name: name(), token: lease?.token ?? 0 };
      const version = await one.kv.put(name('record'), 'early', { fence: early });
      await advance(150);
      // The lease is over, and no later holder can be harmed yet.
      await one.log.append(name('events'), 'early', { fence: early });
      const next = await other.leases.acquire(name(), 60_000);
      const late = { name: name(), token: next?.token ?? 0 };
      expect(await failureOf(one.kv.put(name('record'), 'stale', { fence: early }))).toBe('fenced');
      expect(
        await failureOf(one.kv.compareAndSet(name('record'), 'stale', { expected: version, fence: early })),
      ).toBe('fenced');
      const mismatched = { expected: '-', fence: early };
      expect(await failureOf(one.kv.compareAndSet(name('record'), 'stale', mismatched))).toBe('fenced');
      expect(await failureOf(one.log.append(name('events'), 'stale', { fence: early }))).toBe('fenced');
      await other.kv.put(name('record'), 'late', { fence: late });
      await next?.release();
      expect(await failureOf(one.kv.put(name('record'), 'stale', { fence: early }))).toBe('fenced');
      await other.kv.put(name('record'), 'late again', { fence: late });
      expect((await one.kv.get(name('record')))?.value).toBe('late again');
      expect((await one.log.read(name('events'), 0)).last).toBe(1);
    },
  ],
  [
    'fences only keys of its own group',
    async ({ one, name }) => {
      const fence = { name: name(), token: 1 };
      expect(await failureOf(one.kv.put(`${name()}-other/record`, '', { fence }))).toBeInstanceOf(TypeError);
    },
  ],
  [
    'rejects names that are not two segments',
    async ({ one }) => {
      for (const name of ['', 'one', 'a/b/c', 'a/', 'a b/c'])
        expect(await failureOf(one.leases.acquire(name, 1_000))).toBeInstanceOf(TypeError);
      expect(await failureOf(one.leases.acquire('a/b', 0))).toBeInstanceOf(RangeError);
    },
  ],
];
