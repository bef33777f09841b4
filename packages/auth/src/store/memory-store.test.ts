import { describe, expect, it } from 'vitest';
import { AuthError } from '../auth-error.js';
import { MemoryAuthStore } from './memory-store.js';

const tokens = { accessToken: 'one' };
const newer = { accessToken: 'two' };

describe('MemoryAuthStore', () => {
  it('changes the version of an entry with its value', () => {
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

  it('changes nothing if the version is outdated', () => {
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

  it('never uses a version of a key again', () => {
    const store = new MemoryAuthStore();
    store.swap('a', undefined, tokens);
    const first = store.get('a')?.version;
    expect(store.swap('a', first, undefined)).toBe(true);
    expect(store.get('a')).toBeUndefined();
    store.swap('a', undefined, tokens);
    expect(store.swap('a', first, newer)).toBe(false);
  });

  it('returns copies of values', () => {
    const store = new MemoryAuthStore();
    const mine = { scopes: ['read'] };
    store.swap('a', undefined, mine);
    mine.scopes.push('write');
    const read = store.get('a')?.value as typeof mine;
    read.scopes.push('admin');
    expect(store.get('a')?.value).toEqual({ scopes: ['read'] });
  });

  it('drops the least recently used entry past the bound of entries', () => {
    const store = new MemoryAuthStore();
    store.swap('a', undefined, tokens);
    store.swap('b', undefined, tokens);
    for (let other = 2; other < 1_000; other++) store.swap(`other ${other}`, undefined, tokens);
    store.get('a');
    store.swap('c', undefined, tokens);
    expect(['a', 'b', 'c'].filter((key) => store.get(key) !== undefined)).toEqual(['a', 'c']);
  });

  it('drops the least recently used entry past the bound of characters', () => {
    const store = new MemoryAuthStore();
    const long = { accessToken: 'x'.repeat(9_000_000) };
    store.swap('a', undefined, long);
    store.swap('b', undefined, long);
    expect(store.get('a')).toBeUndefined();
    expect(store.get('b')?.value).toEqual(long);
    // Replaced and deleted values do not count any more.
    expect(store.swap('b', store.get('b')?.version, tokens)).toBe(true);
    store.swap('c', undefined, tokens);
    expect(store.get('b')?.value).toEqual(tokens);
  });

  it('rejects a value that exceeds the bound alone, and keeps the old one', () => {
    const store = new MemoryAuthStore();
    store.swap('a', undefined, tokens);
    const swap = () => store.swap('a', store.get('a')?.version, { accessToken: 'x'.repeat(16_777_216) });
    expect(swap).toThrow(AuthError);
    expect(swap).toThrow('a value of 16777234 characters exceeds the bound of 16777216');
    expect(store.get('a')?.value).toEqual(tokens);
  });
});
