import { SharedMemory } from '@tenon/mcp-state/internal';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import { digestOf } from '../sealing/digest.js';
import type { HandleOptions } from './handle-options.js';
import { createHandles } from './handles.js';

const hour = 3_600_000;
const ada = { auth: { id: 'ada', issuer: 'https://a.example' } };
const bob = { auth: { id: 'bob', issuer: 'https://a.example' } };
const unknown = 'This basket is unknown or has expired: call create_basket to get another one.';

let clock: FakeClock;
let memory: SharedMemory;

beforeEach(() => {
  clock = new FakeClock();
  memory = new SharedMemory({ clock });
});

/** The handles of one process. */
function baskets(options: Partial<HandleOptions<string[]>> = {}) {
  const texts = { prefix: 'bsk', name: 'basket', openedBy: 'create_basket' };
  return createHandles<string[]>({ ...texts, state: memory.open(), clock, ...options });
}

/** The number of handles in the list of each caller, the shortest first. */
async function listed(): Promise<number[]> {
  const { kv } = memory.open();
  const owners = [ada, bob].map(({ auth }) => JSON.stringify([auth.issuer, auth.id]));
  const keys = await Promise.all(owners.map((owner) => digestOf(['bsk', owner])));
  const lists = await Promise.all(keys.map((key) => kv.get(`handle-list/${key}`)));
  return lists.map((list) => JSON.parse(list?.value ?? '[]').length).sort();
}

describe('a shared handle', () => {
  test('is used, changed and closed in any process', async () => {
    const [one, other] = [baskets(), baskets()];
    const id = await one.open(ada, ['milk']);
    expect(id).toMatch(/^bsk_[a-z2-9]{26}$/);
    expect(await other.get(ada, id)).toEqual(['milk']);
    expect(await other.update(ada, id, (items) => [...items, 'bread'])).toEqual(['milk', 'bread']);
    expect(await one.get(ada, id)).toEqual(['milk', 'bread']);
    await other.close(ada, id);
    await expect(one.get(ada, id)).rejects.toThrow(unknown);
    await expect(one.close(ada, id)).rejects.toThrow(unknown);
  });

  test('keeps the changes of all processes at the same time', async () => {
    const [one, other] = [baskets(), baskets()];
    const id = await one.open(ada, []);
    const add = (item: number) => [one, other][item % 2]?.update(ada, id, (items) => [...items, `${item}`]);
    await Promise.all([1, 2, 3, 4].map(add));
    expect((await one.get(ada, id)).sort()).toEqual(['1', '2', '3', '4']);
  });

  test('gives each change of one process at the same time a copy of the value, and makes none that fails', async () => {
    const handles = baskets();
    const id = await handles.open(ada, []);
    const add = (item: string) =>
      handles.update(ada, id, (items) => {
        items.push(item);
        if (item === 'bad') throw new Error('bad');
        return items;
      });
    const circular: unknown[] = [];
    circular.push(circular);
    const made = await Promise.allSettled([
      add('1'),
      add('bad'),
      handles.update(ada, id, () => circular as string[]),
      handles.update(bob, id, () => ['of Bob']),
      add('2'),
    ]);
    expect(made.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(made[0]).toMatchObject({ value: ['1'] });
    expect(await handles.get(ada, id)).toEqual(['1', '2']);
  });

  test('makes any number of changes of one process at the same time', async () => {
    const handles = baskets();
    const id = await handles.open(ada, []);
    const items = [...Array(100).keys()].map(String);
    await Promise.all(items.map((item) => handles.update(ada, id, (all) => [...all, item])));
    expect(await handles.get(ada, id)).toEqual(items);
  });

  test('counts a change that changes nothing as a use', async () => {
    const handles = baskets({ lifetime: 4 * hour, idle: hour });
    const id = await handles.open(ada, []);
    for (let half = 1; half < 6; half++) {
      await clock.advance(hour / 2);
      await handles.update(ada, id, (items) => items);
    }
    expect(await handles.get(ada, id)).toEqual([]);
  });

  test.each(['text', '7', 'null', '{}', '{"owner":1,"opened":0}'])(
    'is unknown if another program wrote %s',
    async (text) => {
      const handles = baskets();
      const id = await handles.open(ada, []);
      await memory.open().kv.put(`handle/${id}`, text);
      await expect(handles.get(ada, id)).rejects.toThrow(unknown);
      await expect(handles.update(ada, id, () => [])).rejects.toThrow(unknown);
      await expect(handles.close(ada, id)).rejects.toThrow(unknown);
    },
  );

  test.each(['{}', '7', '[7,["a"],null]'])('is opened if the list of its caller is %s', async (text) => {
    const handles = baskets();
    const key = `handle-list/${await digestOf(['bsk', JSON.stringify([ada.auth.issuer, ada.auth.id])])}`;
    await memory.open().kv.put(key, text);
    const id = await handles.open(ada, ['milk']);
    expect(await handles.get(ada, id)).toEqual(['milk']);
    expect(await listed()).toEqual([0, 1]);
  });

  test('loses no entry of the list when several processes open handles at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => baskets().open(ada, [])));
    expect(await listed()).toEqual([0, 5]);
  });

  test('is rejected for another caller like an unknown handle', async () => {
    const handles = baskets();
    const id = await handles.open(ada, []);
    for (const caller of [bob, { auth: { id: 'ada' } }, {}]) {
      await expect(handles.get(caller, id)).rejects.toThrow(unknown);
      await expect(handles.update(caller, id, () => [])).rejects.toThrow(unknown);
      await expect(handles.close(caller, id)).rejects.toThrow(unknown);
    }
    expect(await handles.get(ada, id)).toEqual([]);
  });

  test.each(['', 'bsk_', '../keys', `bsk_${'a'.repeat(27)}`, 'x'.repeat(100_000), 7 as unknown as string])(
    '%#: is unknown if it is malformed',
    async (id) => {
      await expect(baskets().get(ada, id)).rejects.toThrow(unknown);
    },
  );

  test('expires after its lifetime, and sooner without use', async () => {
    const handles = baskets({ lifetime: 4 * hour, idle: hour });
    const [used, left] = [await handles.open(ada, []), await handles.open(ada, [])];
    for (let half = 1; half < 8; half++) {
      await clock.advance(hour / 2);
      expect(await handles.get(ada, used)).toEqual([]);
    }
    await expect(handles.get(ada, left)).rejects.toThrow(unknown);
    await clock.advance(hour / 2);
    await expect(handles.get(ada, used)).rejects.toThrow(unknown);
    expect(handles.retention).toContain('the one opened longest ago ends');
  });

  test('makes way for newer handles of the same caller in any process', async () => {
    const [one, other] = [baskets({ perCaller: 2 }), baskets({ perCaller: 2 })];
    const ofBob = await one.open(bob, []);
    const ids = [await one.open(ada, ['1']), await other.open(ada, ['2']), await one.open(ada, ['3'])];
    await expect(other.get(ada, ids[0] ?? '')).rejects.toThrow(unknown);
    expect(await one.get(ada, ids[1] ?? '')).toEqual(['2']);
    await one.close(ada, ids[1] ?? '');
    expect(await listed()).toEqual([1, 1]);
    await other.open(ada, ['4']);
    expect(await other.get(ada, ids[2] ?? '')).toEqual(['3']);
    expect(await other.get(bob, ofBob)).toEqual([]);
  });

  test('changes the list of its caller without retries for calls of one process at the same time', async () => {
    const state = memory.open();
    const { kv } = memory.open();
    const written: (string | undefined)[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const compareAndSet = vi.fn(async (...given: Parameters<typeof kv.compareAndSet>) => {
      await released;
      written.push(await kv.compareAndSet(...given));
      return written.at(-1);
    });
    const slow = { ...state, kv: { ...kv, get: kv.get, put: kv.put, compareAndSet } };
    const handles = baskets({ state: slow as never });
    const opening = Promise.all(Array.from({ length: 5 }, () => handles.open({}, [])));
    await vi.waitFor(() => expect(compareAndSet).toHaveBeenCalled());
    // Hashes are computed in order, so those of the other calls are there as well.
    for (let turn = 0; turn < 5; turn++) await digestOf('other');
    release();
    expect(new Set(await opening).size).toBe(5);
    expect(written.length).toBeLessThanOrEqual(5);
    expect(written).not.toContain(undefined);
  });

  test('is answered with overloaded when others change it all the time', async () => {
    const state = memory.open();
    const { kv } = state;
    const compareAndSet = async () => undefined;
    const busy = { get: kv.get.bind(kv), put: kv.put.bind(kv), compareAndSet };
    const handles = baskets({ state: { ...state, kv: busy } as never });
    const id = await baskets().open(ada, []);
    // No pauses between attempts.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const overloaded = { code: -31001, message: expect.stringContaining('is being changed by other calls') };
    await expect(handles.update(ada, id, () => [])).rejects.toMatchObject(overloaded);
    await expect(handles.open(ada, [])).rejects.toMatchObject(overloaded);
  });

  test('is answered with overloaded while the state is unavailable', async () => {
    const handles = baskets();
    const id = await handles.open(ada, []);
    memory.interrupt();
    const overloaded = expect.objectContaining({ code: -31001 });
    await expect(handles.get(ada, id)).rejects.toEqual(overloaded);
    await expect(handles.open(ada, [])).rejects.toEqual(overloaded);
    memory.restore();
    expect(await handles.get(ada, id)).toEqual([]);
  });
});

test.each([
  [{ prefix: '' }, 'prefix of 1 to 16'],
  [{ state: {} }, 'state must be shared state'],
  [{ onEnd: () => {} }, 'createHandles: with state there is no onEnd'],
  [{ perCaller: 0 }, 'perCaller must be'],
])('rejects invalid options: %j', (options, why) => {
  expect(() => baskets(options as never)).toThrow(why);
});
