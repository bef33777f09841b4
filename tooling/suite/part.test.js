import { expect, test } from 'vitest';
import { partOf } from './part.js';

test('the parts of a list are the whole list together, and none has a member of another', () => {
  const list = ['a', 'b', 'c', 'd', 'e'];
  const parts = ['1/3', '2/3', '3/3'].map((part) => partOf(list, part));
  expect(parts).toEqual([['a', 'd'], ['b', 'e'], ['c']]);
  expect(partOf(list, undefined)).toEqual(list);
});

test('a part without a member is not taken for all', () => {
  expect(() => partOf(['a'], '2/2')).toThrow('--part 2/2 has none of 1.');
});

test.each(['', '0/2', '3/2', '1', '1/0', '1/2/3', 'a/b'])('%j is no part of a list', (part) => {
  expect(() => partOf(['a'], part)).toThrow('--part takes K/N');
});
