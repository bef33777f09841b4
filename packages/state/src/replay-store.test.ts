import { beforeEach, describe, expect, it } from 'vitest';
import { SharedMemory } from './internal.js';
import { MemoryReplayStore, StateReplayStore } from './replay-store.js';

let now: number;
let store: MemoryReplayStore;

beforeEach(() => {
  now = 1_800_000_000_500;
  store = new MemoryReplayStore({ entries: 5, perOwner: 3, clock: { now: () => now } });
});

describe('MemoryReplayStore', () => {
  it('knows an id of an owner again until its time is over', () => {
    expect(store.remember('alice', 'one', 10_000)).toBe(true);
    now += 9_999;
    expect(store.remember('alice', 'one', 10_000)).toBe(false);
    expect(store.remember('bob', 'one', 10_000)).toBe(true);
    now += 1_001;
    expect(store.remember('alice', 'one', 10_000)).toBe(true);
  });

  it('does not take two texts for one because they look alike side by side', () => {
    expect(store.remember('a', 'bc', 10_000)).toBe(true);
    expect(store.remember('ab', 'c', 10_000)).toBe(true);
  });

  it('rejects an owner with a full share, and keeps all its entries', () => {
    for (const id of ['one', 'two', 'three']) store.remember('alice', id, 10_000);
    expect(() => store.remember('alice', 'four', 10_000)).toThrow('full');
    expect(store.remember('alice', 'one', 10_000)).toBe(false);
    expect(store.remember('bob', 'four', 10_000)).toBe(true);
  });

  it('accepts keys of other callers when one caller has used up its share', () => {
    store = new MemoryReplayStore({ entries: 1_000, perOwner: 100, clock: { now: () => now } });
    const refused = new Set<string>();
    for (let proof = 0; proof < 2_000; proof++) {
      const key = `key-${proof % 20}`;
      try {
        store.remember(key, String(proof), 10_000);
      } catch {
        refused.add(key);
      }
    }
    expect(refused.size).toBe(20);
    expect(store.remember('somebody else', 'one', 10_000)).toBe(true);
  });

  it('rejects all owners when full, and accepts again after entries expire', () => {
    for (const id of ['one', 'two', 'three']) store.remember('alice', id, 10_000);
    for (const owner of ['bob', 'ben']) store.remember(owner, 'one', 5_000);
    expect(() => store.remember('carol', 'one', 10_000)).toThrow(RangeError);
    now += 6_000;
    expect(store.remember('carol', 'one', 10_000)).toBe(true);
    expect(store.size).toBe(4);
    now += 60_000;
    expect(store.remember('carol', 'one', 10_000)).toBe(true);
    expect(store.size).toBe(1);
  });
});

function stores() {
  let now = 0;
  const memory = new SharedMemory({ clock: { now: () => now } });
  const store = () => new StateReplayStore(memory.open());
  const advance = (ms: number) => {
    now += ms;
  };
  return { memory, store, advance };
}

it('accepts an id once in all processes, until its time is over', async () => {
  const { store, advance } = stores();
  const [one, other] = [store(), store()];
  expect(await one.remember('alice', 'id', 1_000.5)).toBe(true);
  expect(await other.remember('alice', 'id', 1_000)).toBe(false);
  expect(await other.remember('bob', 'id', 1_000)).toBe(true);
  advance(1_000);
  expect(await one.remember('alice', 'id', 1_000)).toBe(false);
  advance(1);
  expect(await other.remember('alice', 'id', 1_000)).toBe(true);
});

it('accepts an id for one of several processes at the same time', async () => {
  const { store } = stores();
  const firsts = await Promise.all(Array.from({ length: 5 }, () => store().remember('alice', 'id', 1_000)));
  expect(firsts.filter((first) => first)).toHaveLength(1);
});

it('accepts owners and ids of any length and any characters', async () => {
  const { store } = stores();
  expect(await store().remember('', '/../\ud800 \u{1f600}', 1_000)).toBe(true);
  expect(await store().remember('x'.repeat(10_000), 'y'.repeat(10_000), 1_000)).toBe(true);
});

it('rejects when the state is unavailable', async () => {
  const { memory, store } = stores();
  const one = store();
  memory.interrupt();
  await expect(one.remember('alice', 'id', 1_000)).rejects.toMatchObject({ reason: 'unavailable' });
});
