import { stateLimits } from '@tenon/mcp-state';
import { expect } from 'vitest';
import { failureOf, type StateTest } from './backend.js';

export const logTests: readonly StateTest[] = [
  [
    'reads an absent log as empty',
    async ({ one, name }) => {
      expect(await one.log.read(name('absent'), 0)).toEqual({ entries: [], trimmed: false, last: 0 });
      expect(await one.log.delete(name('absent'))).toBe(false);
      await one.log.trim(name('absent'), { entries: 1 });
    },
  ],
  [
    'appends in one order for all writers, and reads after a position',
    async ({ one, other, name }) => {
      expect(await one.log.append(name('log'), 'a')).toBe(1);
      expect(await other.log.append(name('log'), 'b')).toBe(2);
      expect(await one.log.append(name('log'), 'c')).toBe(3);
      expect(await other.log.read(name('log'), 0)).toEqual({
        entries: [
          { position: 1, value: 'a' },
          { position: 2, value: 'b' },
          { position: 3, value: 'c' },
        ],
        trimmed: false,
        last: 3,
      });
      expect((await one.log.read(name('log'), 2)).entries).toEqual([{ position: 3, value: 'c' }]);
      expect(await one.log.read(name('log'), 3)).toEqual({ entries: [], trimmed: false, last: 3 });
    },
  ],
  [
    'gives every entry of concurrent writers a position of its own, without gaps',
    async ({ one, other, name }) => {
      const positions = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 === 0 ? one : other).log.append(name('race'), `${index}`),
        ),
      );
      expect([...positions].sort((a, b) => a - b)).toEqual(
        Array.from({ length: 100 }, (_, index) => index + 1),
      );
      const { entries } = await one.log.read(name('race'), 0);
      for (const { position, value } of entries) expect(positions[Number(value)]).toBe(position);
    },
  ],
  [
    'ends a page at its bounds',
    async ({ one, name }) => {
      for (let index = 0; index < 10; index++) await one.log.append(name('pages'), 'é'.repeat(50));
      const page = await one.log.read(name('pages'), 2, { entries: 3 });
      expect(page.entries.map(({ position }) => position)).toEqual([3, 4, 5]);
      const bytes = await one.log.read(name('pages'), 0, { bytes: 150 });
      expect(bytes.entries.map(({ position }) => position)).toEqual([1, 2]);
      expect(page.last).toBe(10);
    },
  ],
  [
    'reads entries of 1 MB one page at a time',
    async ({ one, other, name }) => {
      for (const letter of ['a', 'b', 'c']) await one.log.append(name('big'), letter.repeat(1_000_000));
      const first = await other.log.read(name('big'), 0);
      expect(first.entries.length).toBeLessThan(3);
      const rest = await other.log.read(name('big'), first.entries.length);
      expect([...first.entries, ...rest.entries].map(({ value }) => value[0])).toEqual(['a', 'b', 'c']);
      expect(await failureOf(one.log.append(name('big'), 'x'.repeat(stateLimits.valueBytes + 1)))).toBe(
        'too-large',
      );
    },
  ],
  [
    'drops the oldest entries past a count, and says so to readers who need them',
    async ({ one, other, name }) => {
      for (let index = 1; index <= 200; index++)
        await one.log.append(name('count'), `${index}`, { keep: { entries: 3 } });
      const page = await other.log.read(name('count'), 0);
      expect(page).toEqual({
        entries: [198, 199, 200].map((position) => ({ position, value: `${position}` })),
        trimmed: true,
        last: 200,
      });
      expect((await other.log.read(name('count'), 197)).trimmed).toBe(false);
      expect((await other.log.read(name('count'), 196)).trimmed).toBe(true);
    },
  ],
  [
    'drops the oldest entries past a number of bytes, and keeps the newest',
    async ({ one, name }) => {
      for (const value of ['aaaa', 'éé', 'cccc'])
        await one.log.append(name('bytes'), value, { keep: { bytes: 8 } });
      expect((await one.log.read(name('bytes'), 0)).entries.map(({ value }) => value)).toEqual([
        'éé',
        'cccc',
      ]);
      await one.log.append(name('bytes'), 'x'.repeat(100), { keep: { bytes: 8 } });
      expect((await one.log.read(name('bytes'), 3)).entries.map(({ position }) => position)).toEqual([4]);
    },
  ],
  [
    'drops entries past an age',
    async ({ one, name, advance }) => {
      await one.log.append(name('age'), 'old');
      await advance(1_600);
      await one.log.append(name('age'), 'new');
      await one.log.trim(name('age'), { age: 1_500 });
      expect((await one.log.read(name('age'), 1)).entries).toEqual([{ position: 2, value: 'new' }]);
      expect((await one.log.read(name('age'), 0)).trimmed).toBe(true);
    },
  ],
  [
    'goes on counting after a trim to nothing',
    async ({ one, name }) => {
      await one.log.append(name('trim'), 'a');
      await one.log.append(name('trim'), 'b');
      await one.log.trim(name('trim'), { entries: 0 });
      expect(await one.log.read(name('trim'), 0)).toEqual({ entries: [], trimmed: true, last: 2 });
      expect(await one.log.read(name('trim'), 2)).toEqual({ entries: [], trimmed: false, last: 2 });
      expect(await one.log.append(name('trim'), 'c')).toBe(3);
    },
  ],
  [
    'says that entries are missing after a position that the log has not reached',
    async ({ one, name }) => {
      await one.log.append(name('future'), 'a');
      expect((await one.log.read(name('future'), 5)).trimmed).toBe(true);
      expect((await one.log.read(name('never'), 5)).trimmed).toBe(true);
    },
  ],
  [
    'keeps its time to live with touch',
    async ({ one, other, name, advance }) => {
      await one.log.append(name('touched'), 'a', { ttl: 2_000 });
      expect(await other.log.touch(name('touched'), 60_000)).toBe(true);
      await advance(2_600);
      expect((await one.log.read(name('touched'), 0)).entries).toEqual([{ position: 1, value: 'a' }]);
      expect(await one.log.touch(name('never'), 60_000)).toBe(false);
      expect(await failureOf(one.log.touch(name('touched'), 0))).toBeInstanceOf(RangeError);
    },
  ],
  [
    'expires as a whole, and renews its time with each entry',
    async ({ one, other, name, advance }) => {
      await one.log.append(name('ttl'), 'a', { ttl: 2_000 });
      await advance(1_200);
      await one.log.append(name('ttl'), 'b', { ttl: 2_000 });
      await advance(1_200);
      expect((await other.log.read(name('ttl'), 0)).entries).toHaveLength(2);
      await advance(1_200);
      expect(await other.log.read(name('ttl'), 0)).toEqual({ entries: [], trimmed: false, last: 0 });
      expect(await one.log.append(name('ttl'), 'c')).toBe(1);
    },
  ],
  [
    'starts again after a delete',
    async ({ one, other, name }) => {
      await one.log.append(name('deleted'), 'a');
      expect(await other.log.delete(name('deleted'))).toBe(true);
      expect(await one.log.append(name('deleted'), 'b')).toBe(1);
    },
  ],
  [
    'keeps values, logs and leases of the same name apart',
    async ({ one, name }) => {
      await one.kv.put(name('same'), 'value');
      await one.log.append(name('same'), 'entry');
      expect((await one.kv.get(name('same')))?.value).toBe('value');
      expect(await one.kv.delete(name('same'))).toBe(true);
      expect((await one.log.read(name('same'), 0)).entries).toEqual([{ position: 1, value: 'entry' }]);
    },
  ],
];
