import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryPageStore } from './memory-page-store.js';

let now: number;
let store: MemoryPageStore;

beforeEach(() => {
  now = 1_000;
  store = new MemoryPageStore({ entries: 4, perOwner: 2, clock: { now: () => now } });
});

function keep(key: string, owner = 'alice'): boolean {
  return store.swap(key, undefined, { value: { key }, owner, expiresAt: 2_000 });
}

describe('MemoryPageStore', () => {
  it('returns an entry until it expires', () => {
    expect(keep('a')).toBe(true);
    expect(store.get('a')?.value).toEqual({ key: 'a' });
    now = 2_000;
    expect(store.get('a')).toBeUndefined();
    expect(keep('a')).toBe(true);
  });

  it('changes an entry only with its current version', () => {
    keep('a');
    const { version } = store.get('a') ?? {};
    const entry = { value: { changed: true }, owner: 'alice', expiresAt: 2_000 };
    expect(keep('a')).toBe(false);
    expect(store.swap('a', version, entry)).toBe(true);
    expect(store.swap('a', version, entry)).toBe(false);
    expect(store.swap('a', version, undefined)).toBe(false);
    expect(store.swap('a', store.get('a')?.version, undefined)).toBe(true);
    expect(store.get('a')).toBeUndefined();
    // A new entry under the same key has another version.
    keep('a');
    expect(store.get('a')?.version).not.toBe(version);
  });

  it('drops the oldest entry of an owner with too many', () => {
    for (const key of ['a', 'b', 'c']) keep(key);
    keep('d', 'bob');
    expect(['a', 'b', 'c', 'd'].filter((key) => store.get(key) !== undefined)).toEqual(['b', 'c', 'd']);
  });

  it('drops the oldest entry past the bound', () => {
    for (const [key, owner] of ['a1', 'a2', 'b1', 'b2', 'c1'].map((key) => [key, key[0]]))
      keep(`${key}`, owner);
    expect(['a1', 'a2', 'b1', 'b2', 'c1'].filter((key) => store.get(key) !== undefined)).toEqual([
      'a2',
      'b1',
      'b2',
      'c1',
    ]);
  });

  it('returns copies of values', () => {
    const value = { list: ['one'] };
    store.swap('a', undefined, { value, owner: 'alice', expiresAt: 2_000 });
    value.list.push('two');
    (store.get('a')!.value.list as string[]).push('three');
    expect(store.get('a')?.value).toEqual({ list: ['one'] });
  });
});
