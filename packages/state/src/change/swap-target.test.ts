import { describe, expect, it } from 'vitest';
import { change } from './change.js';
import { type SwapStore, swapTarget } from './swap-target.js';

/** Stores of several processes with the same entries. */
function stores() {
  const entries = new Map<string, { value: number[]; version: string }>();
  let versions = 0;
  const open = (): SwapStore<number[]> => ({
    get: async (key) => structuredClone(entries.get(key)),
    async swap(key, version, value) {
      if (entries.get(key)?.version !== version) return false;
      if (value === undefined) entries.delete(key);
      else entries.set(key, { value: structuredClone(value), version: `${++versions}` });
      return true;
    },
  });
  return { entries, open };
}

const add =
  (item: number) =>
  (items: number[] | undefined): number[] => [...(items ?? []), item];

describe('swapTarget', () => {
  it('loses no change when several processes change an entry at once', async () => {
    const { entries, open } = stores();
    const items = [...Array(6).keys()];
    await Promise.all(items.map((item) => change({ kv: swapTarget(open()), key: 'a' }, add(item))));
    expect(entries.get('a')?.value.sort()).toEqual(items);
  });

  it('shares a write between changes that one process requests at once', async () => {
    const { entries, open } = stores();
    const store = open();
    const add4 = [1, 2, 3, 4].map((item) => change({ kv: swapTarget(store), key: 'a' }, add(item)));
    await Promise.all(add4);
    expect(entries.get('a')).toEqual({ value: [1, 2, 3, 4], version: '2' });
  });

  it('deletes an entry without a next value', async () => {
    const { entries, open } = stores();
    const to = { kv: swapTarget(open()), key: 'a' };
    await change<number[]>(to, add(1));
    await change<number[]>(to, () => undefined);
    expect(entries.size).toBe(0);
  });
});
