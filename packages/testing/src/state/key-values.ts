import { stateLimits } from '@tenon/mcp-state';
import { expect } from 'vitest';
import { type Bench, failureOf, type StateTest } from './backend.js';

export const keyValueTests: readonly StateTest[] = [
  [
    'returns undefined for a key that does not exist',
    async ({ one, name }) => {
      expect(await one.kv.get(name('absent'))).toBeUndefined();
      expect(await one.kv.delete(name('absent'))).toBe(false);
      expect(await one.kv.touch(name('absent'), 1_000)).toBe(false);
    },
  ],
  [
    'reads at once what another process wrote',
    async ({ one, other, name }) => {
      const version = await one.kv.put(name('a'), 'first');
      expect(await other.kv.get(name('a'))).toEqual({ value: 'first', version });
      const next = await other.kv.put(name('a'), 'second');
      expect(next).not.toBe(version);
      expect(await one.kv.get(name('a'))).toEqual({ value: 'second', version: next });
      expect(await other.kv.delete(name('a'))).toBe(true);
      expect(await one.kv.get(name('a'))).toBeUndefined();
    },
  ],
  [
    'keeps every text as it is',
    async ({ one, other, name }) => {
      for (const text of ['', ' ', '\u0000', 'é ü 漢 🙂', '{"a":"\\u2028"}', '\r\n', "'; DROP TABLE x; --"]) {
        await one.kv.put(name('text'), text);
        expect((await other.kv.get(name('text')))?.value).toBe(text);
      }
    },
  ],
  [
    'keeps values of 1 MB and of the greatest size, and rejects greater ones',
    async ({ one, other, name }) => {
      for (const size of [1_000_000, stateLimits.valueBytes]) {
        await one.kv.put(name('big'), 'x'.repeat(size));
        expect((await other.kv.get(name('big')))?.value.length).toBe(size);
      }
      const tooLarge = `${'x'.repeat(stateLimits.valueBytes - 1)}é`;
      expect(await failureOf(one.kv.put(name('big'), tooLarge))).toBe('too-large');
      expect((await other.kv.get(name('big')))?.value.length).toBe(stateLimits.valueBytes);
    },
  ],
  [
    'keeps 2,000 keys',
    async ({ one, other, name }) => {
      const keys = Array.from({ length: 2_000 }, (_, index) => name(`many/${index}`));
      for (let from = 0; from < keys.length; from += 500)
        await Promise.all(keys.slice(from, from + 500).map((key) => one.kv.put(key, key, { ttl: 60_000 })));
      const read: (string | undefined)[] = [];
      for (let from = 0; from < keys.length; from += 500)
        read.push(
          ...(await Promise.all(
            keys.slice(from, from + 500).map(async (key) => (await other.kv.get(key))?.value),
          )),
        );
      expect(read).toEqual(keys);
    },
  ],
  [
    'rejects malformed keys and times to live before anything is written',
    async ({ one, name }) => {
      for (const key of ['', 'one', '/a/b', 'a//b', 'a/b/', 'a/b c', 'a/{b}', 'a/b\n', 'a/*'])
        expect(await failureOf(one.kv.put(key, ''))).toBeInstanceOf(TypeError);
      expect(await failureOf(one.kv.get(`a/${'x'.repeat(stateLimits.keyLength)}`))).toBe('too-large');
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
        expect(await failureOf(one.kv.put(name('ttl'), '', { ttl }))).toBeInstanceOf(RangeError);
      expect(await one.kv.get(name('ttl'))).toBeUndefined();
    },
  ],
  [
    'keeps names of objects apart from keys',
    async ({ one, name }) => {
      for (const key of ['__proto__', 'constructor', 'toString']) {
        expect(await one.kv.get(name(key))).toBeUndefined();
        await one.kv.put(name(key), key);
        expect((await one.kv.get(name(key)))?.value).toBe(key);
      }
    },
  ],
  [
    'expires a value when its time is over, and not before',
    async ({ one, other, name, advance }) => {
      await one.kv.put(name('short'), 'a', { ttl: 2_000 });
      await one.kv.put(name('long'), 'b', { ttl: 60_000 });
      await advance(100);
      expect((await other.kv.get(name('short')))?.value).toBe('a');
      await advance(1_901);
      expect(await other.kv.get(name('short'))).toBeUndefined();
      expect(await other.kv.delete(name('short'))).toBe(false);
      expect((await other.kv.get(name('long')))?.value).toBe('b');
    },
  ],
  [
    'renews the time to live with touch, and replaces it with a write',
    async ({ one, other, name, advance }) => {
      const version = await one.kv.put(name('touched'), 'a', { ttl: 2_000 });
      expect(await other.kv.touch(name('touched'), 60_000)).toBe(true);
      await one.kv.put(name('endless'), 'b', { ttl: 2_000 });
      await one.kv.put(name('endless'), 'c');
      await advance(2_100);
      expect(await one.kv.get(name('touched'))).toEqual({ value: 'a', version });
      expect((await one.kv.get(name('endless')))?.value).toBe('c');
      expect(await one.kv.touch(name('endless'), 1)).toBe(true);
      await advance(20);
      expect(await one.kv.get(name('endless'))).toBeUndefined();
      expect(await one.kv.touch(name('endless'), 1_000)).toBe(false);
    },
  ],
  [
    'writes with compareAndSet if the version is the expected one',
    async ({ one, other, name }) => {
      const first = await one.kv.compareAndSet(name('cas'), 'a', { expected: undefined });
      expect(first).toBeTypeOf('string');
      expect(await other.kv.compareAndSet(name('cas'), 'b', { expected: undefined })).toBeUndefined();
      const second = await other.kv.compareAndSet(name('cas'), 'b', { expected: first });
      expect(second).toBeTypeOf('string');
      expect(await one.kv.compareAndSet(name('cas'), 'c', { expected: first })).toBeUndefined();
      expect((await one.kv.get(name('cas')))?.value).toBe('b');
      expect(await one.kv.delete(name('cas'), first)).toBe(false);
      expect(await one.kv.delete(name('cas'), second)).toBe(true);
    },
  ],
  [
    'does not confuse a value with an equal one that was written after a delete',
    async ({ one, other, name }) => {
      const first = await one.kv.put(name('again'), 'same');
      await one.kv.delete(name('again'));
      await other.kv.put(name('again'), 'same');
      expect(await one.kv.compareAndSet(name('again'), 'b', { expected: first })).toBeUndefined();
    },
  ],
  [
    'treats an expired value as absent in compareAndSet',
    async ({ one, other, name, advance }) => {
      const first = await one.kv.put(name('gone'), 'a', { ttl: 50 });
      await advance(60);
      expect(await other.kv.compareAndSet(name('gone'), 'b', { expected: first })).toBeUndefined();
      expect(await other.kv.compareAndSet(name('gone'), 'c', { expected: undefined })).toBeTypeOf('string');
    },
  ],
  [
    'lets exactly one of many writers win',
    async (bench) => {
      const { one, other, name } = bench;
      const created = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? one : other).kv.compareAndSet(name('race'), String(index), {
            expected: undefined,
          }),
        ),
      );
      expect(created.filter((version) => version !== undefined)).toHaveLength(1);
      await one.kv.put(name('sum'), '0');
      await Promise.all(Array.from({ length: 20 }, (_, index) => increment(bench, index % 2 === 0)));
      expect((await one.kv.get(name('sum')))?.value).toBe('20');
    },
  ],
];

/** Adds one to a number in one or the other process, until no other writer comes between. */
async function increment({ one, other, name }: Bench, first: boolean): Promise<void> {
  const { kv } = first ? one : other;
  for (;;) {
    const read = await kv.get(name('sum'));
    const written = await kv.compareAndSet(name('sum'), String(Number(read?.value) + 1), {
      expected: read?.version,
    });
    if (written !== undefined) return;
  }
}
