import { expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.js';

it('drops the oldest entry above the maximum, and counts a key that is set again as the newest', () => {
  const map = new BoundedMap<string, number>(2);
  for (const [value, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, value);
  expect([...map]).toEqual([
    ['a', 2],
    ['c', 3],
  ]);
  map.delete('a');
  expect(map.get('a')).toBeUndefined();
});
