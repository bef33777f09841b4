import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';

test.each<[unknown, string]>([
  [{ b: 1, a: { d: [], c: {} } }, '{"a":{"c":{},"d":[]},"b":1}'],
  [[1, 'two', null, true, [[]], { a: undefined, b: 0 }], '[1,"two",null,true,[[]],{"b":0}]'],
  [[undefined], '[null]'],
  ['\u2028"\ud800', '"\u2028\\"\\ud800"'],
  [-0, '0'],
  [1e21, '1e+21'],
  [JSON.parse('{"__proto__":1,"constructor":2}'), '{"__proto__":1,"constructor":2}'],
])('%j is written as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test('values that differ have different text', () => {
  const values = [
    {},
    [],
    null,
    '',
    0,
    '0',
    [[]],
    [[], []],
    { a: 1 },
    { a: '1' },
    { a: [1] },
    { a: { 1: 1 } },
    [1, 2],
    [12],
    ['1,2'],
  ];
  expect(new Set(values.map(canonicalJson)).size).toBe(values.length);
});

test('nesting too deep for recursion is written all the same', () => {
  const depth = 200_000;
  const text = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  expect(canonicalJson(JSON.parse(text)) === text).toBe(true);
});
