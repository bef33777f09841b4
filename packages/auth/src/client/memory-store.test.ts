import { describe, expect, it } from 'vitest';
import { AuthError } from '../auth-error.js';
import { MemoryAuthStore } from './memory-store.js';

const tokens = { accessToken: 'one' };
const newer = { accessToken: 'two' };

describe('MemoryAuthStore', () => {
  it('keeps a value under a version that changes with it', () => {
    const store = new MemoryAuthStore();
    expect(store.get('tokens:a')).toBeUndefined();
    expect(store.swap('tokens:a', undefined, tokens)).toBe(true);
    const first = store.get('tokens:a');
    expect(first?.value).toEqual(tokens);
    expect(store.swap('tokens:a', first?.version, newer)).toBe(true);
    const second = store.get('tokens:a');
    expect(second?.value).toEqual(newer);
    expect(second?.version).not.toBe(first?.version);
  });

  it('changes nothing for whoever knows another version', () => {
    const store = new MemoryAuthStore();
    store.swap('a', undefined, tokens);
    const first = store.get('a')?.version;
    store.swap('a', first, newer);
    expect(store.swap('a', first, tokens)).toBe(false);
    expect(store.swap('a', first, undefined)).toBe(false);
    expect(store.swap('a', undefined, tokens)).toBe(false);
    expect(store.swap('b', first, tokens)).toBe(false);
    expect(store.get('a')?.value).toEqual(newer);
    expect(store.get('b')).toBeUndefined();
  });

  it('never gives a key a version it had before', () => {
    const store = new MemoryAuthStore();
    store.swap('a', undefined, tokens);
    const first = store.get('a')?.version;
    expect(store.swap('a', first, undefined)).toBe(true);
    expect(store.get('a')).toBeUndefined();
    store.swap('a', undefined, tokens);
    expect(store.swap('a', first, newer)).toBe(false);
  });

  it('gives everybody objects of his own', () => {
    const store = new MemoryAuthStore();
    const mine = { scopes: ['read'] };
    store.swap('a', undefined, mine);
    mine.scopes.push('write');
    const read = store.get('a')?.value as typeof mine;
    read.scopes.push('admin');
    expect(store.get('a')?.value).toEqual({ scopes: ['read'] });
  });

  it('forgets what was used longest ago past its number of entries', () => {
    const store = new MemoryAuthStore({ entries: 2 });
    store.swap('a', undefined, tokens);
    store.swap('b', undefined, tokens);
    store.get('a');
    store.swap('c', undefined, tokens);
    expect(['a', 'b', 'c'].filter((key) => store.get(key) !== undefined)).toEqual(['a', 'c']);
  });

  it('forgets what was used longest ago past its number of characters', () => {
    const store = new MemoryAuthStore({ characters: 60 });
    const long = { accessToken: 'x'.repeat(30) };
    store.swap('a', undefined, long);
    store.swap('b', undefined, long);
    expect(store.get('a')).toBeUndefined();
    expect(store.get('b')?.value).toEqual(long);
    // What was replaced or forgotten counts no longer.
    expect(store.swap('b', store.get('b')?.version, tokens)).toBe(true);
    store.swap('c', undefined, tokens);
    expect(store.get('b')?.value).toEqual(tokens);
  });

  it('refuses a value larger than all it may keep, and keeps what there was', () => {
    const store = new MemoryAuthStore({ characters: 60 });
    store.swap('a', undefined, tokens);
    const swap = () => store.swap('a', store.get('a')?.version, { accessToken: 'x'.repeat(60) });
    expect(swap).toThrow(AuthError);
    expect(swap).toThrow('78 characters are more than the store may keep in all.');
    expect(store.get('a')?.value).toEqual(tokens);
  });

  it('refuses options there are not', () => {
    expect(() => new MemoryAuthStore({ entries: 0 })).toThrow(RangeError);
    expect(() => new MemoryAuthStore({ entry: 1 } as never)).toThrow(
      'MemoryAuthStore: there is no option "entry"',
    );
  });
});
