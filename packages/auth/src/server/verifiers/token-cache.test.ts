import { expect, it } from 'vitest';
import { TokenCache } from './token-cache.js';

it('forgets what is over, and past its bound the oldest', () => {
  let now = 0;
  const cache = new TokenCache<string>({ now: () => now }, 2);
  cache.keep('a', 'one', 10);
  cache.keep('b', 'two', 20);
  expect(cache.get('a')).toBe('one');
  now = 10;
  expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'two']);
  cache.keep('c', 'three', 20);
  cache.keep('d', 'four', 20);
  expect([cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([undefined, 'three', 'four']);
});
