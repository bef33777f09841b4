import { describe, expect, it } from 'vitest';
import { BoundedCache, type CacheBounds, MemoryCache } from './response-cache.js';

const at = (key: string, group = 'g') => ({ group, key });
const kept = (text: string, ttlMs = 100) => ({ text, receivedAt: 0, ttlMs });

const bounded = (bounds: Partial<CacheBounds>) =>
  new BoundedCache({ entries: 10, characters: 1_000, lifetime: 1_000, ...bounds });

function filled(bounds: Partial<CacheBounds>, keys: readonly string[]): BoundedCache {
  const cache = bounded(bounds);
  for (const key of keys) cache.set(at(key), kept('0123456789'), cache.mark());
  return cache;
}

const found = (cache: BoundedCache, keys: readonly string[]) =>
  keys.filter((key) => cache.get(at(key), 0) !== undefined);

describe('a memory cache', () => {
  it('gives a response until its time is over, and forgets it then', () => {
    const cache = filled({}, ['a']);
    expect(cache.get(at('a'), 99)).toBe('0123456789');
    expect(cache.get(at('a'), 100)).toBeUndefined();
    expect(cache.size).toBe(0);
  });

  it('keeps nothing for longer than its own bound, by default a day', () => {
    const cache = new MemoryCache();
    cache.set(at('a'), kept('x', 1e300), 0);
    expect(cache.get(at('a'), 86_399_999)).toBe('x');
    expect(cache.get(at('a'), 86_400_000)).toBeUndefined();
    const short = bounded({ lifetime: 5 });
    short.set(at('a'), kept('x'), 0);
    expect(short.get(at('a'), 5)).toBeUndefined();
  });

  it('forgets what was used longest ago when there are too many', () => {
    const cache = filled({ entries: 2 }, ['a', 'b']);
    cache.get(at('a'), 0);
    cache.set(at('c'), kept('x'), cache.mark());
    expect(found(cache, ['a', 'b', 'c'])).toEqual(['a', 'c']);
  });

  it('forgets what was used longest ago when it holds too many characters, and keeps nothing that is longer', () => {
    const cache = filled({ characters: 30 }, ['a', 'b', 'c']);
    expect(found(cache, ['a', 'b', 'c'])).toEqual(['b', 'c']);
    cache.set(at('d'), kept('x'.repeat(30)), cache.mark());
    expect(found(cache, ['b', 'c', 'd'])).toEqual(['b', 'c']);
    // What was counted for a response is given back with it.
    cache.drop('g');
    expect(found(filled({ characters: 30 }, ['x', 'x', 'x', 'y']), ['x', 'y'])).toEqual(['x', 'y']);
  });

  it('forgets single responses, a whole group, or some of it', () => {
    const cache = filled({}, ['a', 'b', 'c']);
    cache.set(at('a', 'other'), kept('x'), cache.mark());
    cache.delete(at('a'));
    cache.drop('g', (key) => key === 'b');
    expect(found(cache, ['a', 'b', 'c'])).toEqual(['c']);
    cache.drop('g');
    expect(cache.size).toBe(1);
  });

  it('takes no response that was asked for before its group was dropped', () => {
    const cache = new MemoryCache();
    const mark = cache.mark();
    cache.drop('g');
    cache.set(at('a'), kept('old'), mark);
    cache.set(at('a', 'other'), kept('new'), mark);
    expect(cache.get(at('a'), 0)).toBeUndefined();
    expect(cache.get(at('a', 'other'), 0)).toBe('new');
    cache.set(at('a'), kept('new'), cache.mark());
    expect(cache.get(at('a'), 0)).toBe('new');
  });

  it('remembers as many drops as responses, and takes the rest for dropped', () => {
    const cache = bounded({ entries: 3 });
    const mark = cache.mark();
    for (const group of ['a', 'b', 'c', 'd', 'e']) cache.drop(group);
    cache.set(at('x', 'a'), kept('old'), mark);
    cache.set(at('x', 'never dropped'), kept('unsure'), mark);
    expect(cache.size).toBe(0);
  });
});
