import { describe, expect, it, vi } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { SharedMemory } from '../internal.js';
import { type ChangedKey, ConflictError, change } from './change.js';

const key = 'list/one';

/** Processes with the same state, each with the options of its changes of one key. */
function processes(options: Partial<ChangedKey<number[]>> = {}) {
  const clock = new FakeClock();
  const memory = new SharedMemory({ clock });
  const open = () => {
    const { kv, leases } = memory.open();
    return { kv, leases, to: { kv, key, clock, ...options } as ChangedKey<number[]> };
  };
  const { kv } = memory.open();
  const stored = async () => JSON.parse((await kv.get(key))?.value ?? 'null');
  return { clock, memory, open, stored };
}

const add =
  (item: number) =>
  (items: number[] | undefined): number[] => [...(items ?? []), item];

describe('change', () => {
  it('makes changes that are requested at once with two reads and two writes, in their order', async () => {
    const { open, stored } = processes();
    const { kv, to } = open();
    const [get, write] = [vi.spyOn(kv, 'get'), vi.spyOn(kv, 'compareAndSet')];
    const calls = () => [get, write].map(({ mock }) => mock.calls.length);
    const made = await Promise.all([...Array(300).keys()].map((item) => change(to, add(item))));
    expect(made.map((items) => items?.length)).toEqual([...Array(300).keys()].map((item) => item + 1));
    expect(calls()).toEqual([2, 2]);
    expect(await stored()).toEqual([...Array(300).keys()]);
  });

  it('combines changes by several views of one store', async () => {
    const { open, stored } = processes();
    const { kv, to } = open();
    const write = vi.spyOn(kv, 'compareAndSet');
    const made = [1, 2, 3, 4].map((item) => change({ ...to, kv: Object.create(kv), backend: kv }, add(item)));
    await Promise.all(made);
    expect(write).toHaveBeenCalledTimes(2);
    expect(await stored()).toEqual([1, 2, 3, 4]);
  });

  it('loses no change when several processes change the key at once', async () => {
    const { clock, open, stored } = processes();
    const all = [...Array(8).keys()].map((item) => change(open().to, add(item)));
    let isOver = false;
    void Promise.all(all).then(() => {
      isOver = true;
    });
    for (await settled(); !isOver; await settled()) await clock.pass();
    expect((await stored()).sort()).toEqual([...Array(8).keys()]);
  });

  it('rejects only the change that throws', async () => {
    const { open, stored } = processes();
    const { to } = open();
    const full = new Error('full');
    const refuse = () => {
      throw full;
    };
    const made = await Promise.allSettled([change(to, add(1)), change(to, refuse), change(to, add(2))]);
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(made[1]).toMatchObject({ reason: full });
    expect(await stored()).toEqual([1, 2]);
  });

  it('writes nothing when the value is the same, and deletes the key when there is no next value', async () => {
    const { open, stored } = processes();
    const { kv, to } = open();
    await change(to, add(1));
    const write = vi.spyOn(kv, 'compareAndSet');
    expect(await change(to, (items) => items)).toEqual([1]);
    expect(write).not.toHaveBeenCalled();
    expect(await change(to, () => undefined)).toBeUndefined();
    expect(await stored()).toBeNull();
    expect(await change(to, () => undefined)).toBeUndefined();
  });

  it('keeps a value for its time to live', async () => {
    const { clock, open, stored } = processes({ ttl: (items) => 1_000 * items.length });
    const { to } = open();
    await change(to, add(1));
    await change(to, add(2));
    await clock.advance(1_999);
    expect(await stored()).toEqual([1, 2]);
    await clock.advance(1);
    expect(await stored()).toBeNull();
  });

  it.each([
    ['writes', add(2)],
    ['writes nothing', (items: number[] | undefined) => items],
    ['deletes', () => undefined],
  ] as const)(
    'rejects with fenced when a later holder has the lease and the change %s',
    async (...[, next]) => {
      const { open, stored } = processes();
      const { leases, to } = open();
      const early = await leases.acquire(key, 100);
      await early?.release();
      await change({ ...to, fence: early }, add(1));
      await leases.acquire(key, 100);
      await expect(change({ ...to, fence: early }, next)).rejects.toMatchObject({ reason: 'fenced' });
      expect(await stored()).toEqual([1]);
    },
  );

  it('does not reject changes without a fence together with one that is fenced', async () => {
    const { open, stored } = processes();
    const { leases, to } = open();
    const early = await leases.acquire(key, 100);
    await early?.release();
    await leases.acquire(key, 100);
    const made = [change(to, add(1)), change(to, add(2)), change({ ...to, fence: early }, add(3))];
    const settledAll = await Promise.allSettled([...made, change(to, add(4))]);
    expect(settledAll.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(await stored()).toEqual([1, 2, 4]);
  });

  it('rejects a change that exceeds the size, and makes those that were requested with it', async () => {
    const { open, stored } = processes({ size: 12 });
    const { to } = open();
    const made = await Promise.allSettled([1, 2, 9_999_999_999_999, 3].map((item) => change(to, add(item))));
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(made[2]).toMatchObject({ reason: { reason: 'too-large' } });
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('rejects all changes while the state cannot be reached, and works afterwards', async () => {
    const { memory, open, stored } = processes();
    const { to } = open();
    memory.interrupt();
    const made = await Promise.allSettled([change(to, add(1)), change(to, add(2))]);
    expect(made).toMatchObject(Array(2).fill({ reason: { reason: 'unavailable' } }));
    memory.restore();
    await change(to, add(3));
    expect(await stored()).toEqual([3]);
  });

  it('rejects when others change the key between each read and write', async () => {
    const { clock, open } = processes();
    const { kv, to } = open();
    const write = vi.spyOn(kv, 'compareAndSet').mockResolvedValue(undefined);
    const made = change(to, add(1));
    let error: unknown;
    void made.catch((reason: unknown) => {
      error = reason;
    });
    for (await settled(); error === undefined; await settled()) await clock.pass();
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ reason: 'unavailable', message: expect.stringContaining('24 times') });
    expect(write).toHaveBeenCalledTimes(24);
  });

  it('uses the value as it was last seen, and reads it when others have changed it', async () => {
    const { open, stored } = processes();
    const { kv, to } = open();
    const seen = { last: undefined };
    const get = vi.spyOn(kv, 'get');
    for (const item of [1, 2, 3]) await change({ ...to, seen }, add(item));
    expect(get).toHaveBeenCalledTimes(1);
    await change(open().to, add(4));
    get.mockClear();
    expect(await change({ ...to, seen }, add(5))).toEqual([1, 2, 3, 4, 5]);
    expect(get).toHaveBeenCalledTimes(1);
    await change({ ...to, seen }, () => undefined);
    expect(await change({ ...to, seen }, add(6))).toEqual([6]);
    expect(await stored()).toEqual([6]);
  });

  it('stores values in a form of their own, and replaces a text that cannot be read', async () => {
    const { memory, open } = processes();
    const { kv } = memory.open();
    const form = {
      read: (text: string) => (/^\d+$/.test(text) ? text.split('').map(Number) : undefined),
      write: (items: readonly number[]) => items.join(''),
    };
    await kv.put(key, 'foreign');
    expect(await change({ ...open().to, ...form }, add(1))).toEqual([1]);
    expect(await change({ ...open().to, ...form }, add(2))).toEqual([1, 2]);
    expect((await kv.get(key))?.value).toBe('12');
  });

  it('rejects when the stored text is not JSON, and leaves it', async () => {
    const { memory, open } = processes();
    const { kv } = memory.open();
    await kv.put(key, 'secret {');
    const made = change(open().to, add(1));
    await expect(made).rejects.toThrow(`State: the value of "${key}" is not JSON. Delete it`);
    await expect(made).rejects.not.toThrow('secret');
    expect((await kv.get(key))?.value).toBe('secret {');
  });

  it('makes asynchronous changes one after the other', async () => {
    const { open, stored } = processes();
    const { to } = open();
    const slowly = (item: number) => async (items: number[] | undefined) => {
      await settled();
      return add(item)(items);
    };
    const refuse = async () => {
      throw new Error('no');
    };
    const made = await Promise.allSettled([
      change(to, slowly(1)),
      change(to, refuse),
      change(to, add(2)),
      change(to, slowly(3)),
    ]);
    expect(made.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(await stored()).toEqual([1, 2, 3]);
  });

  it('writes with the view of the first change that changes the value', async () => {
    const { open } = processes();
    const { kv, to } = open();
    const writers: string[] = [];
    const by = (name: string) => {
      const compareAndSet: typeof kv.compareAndSet = (...given) => {
        writers.push(name);
        return kv.compareAndSet(...given);
      };
      const view = { compareAndSet, get: kv.get.bind(kv), delete: kv.delete.bind(kv) };
      return { ...to, kv: view, backend: kv };
    };
    const same = (items: number[] | undefined) => items;
    // The first is alone: the others wait for it.
    const made = [
      change(by('a'), same),
      change(by('b'), same),
      change(by('c'), add(1)),
      change(by('d'), add(2)),
    ];
    await Promise.all(made);
    expect(writers).toEqual(['c']);
  });

  it('rejects changes past a bound of those that wait', async () => {
    const { open } = processes();
    const { to } = open();
    const made = await Promise.allSettled([...Array(1_026).keys()].map((item) => change(to, add(item))));
    expect(made.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { reason: 'full' } },
    ]);
  });
});
