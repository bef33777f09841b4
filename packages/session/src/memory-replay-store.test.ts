import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryReplayStore } from './memory-replay-store.js';

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

  it('refuses an owner who has used up his share, and forgets nothing of it', () => {
    for (const id of ['one', 'two', 'three']) store.remember('alice', id, 10_000);
    expect(() => store.remember('alice', 'four', 10_000)).toThrow('no room');
    expect(store.remember('alice', 'one', 10_000)).toBe(false);
    expect(store.remember('bob', 'four', 10_000)).toBe(true);
  });

  it('has room left for others however many keys one caller uses up', () => {
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

  it('refuses everybody when it is full, and has room again when time has passed', () => {
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

  it('takes no options it does not know', () => {
    expect(() => new MemoryReplayStore({ entry: 1 } as object)).toThrow('no option "entry"');
    expect(() => new MemoryReplayStore({ entries: 0 })).toThrow(RangeError);
  });
});
