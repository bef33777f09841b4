import { expect, test } from 'vitest';
import { meantOption, nearest } from './nearest.js';

const known = ['port', 'host', 'limits', 'onElicit', 'onElicitUrl', 'authenticate'];

test.each([
  ['prot', 'port'],
  ['Port', 'port'],
  ['limit', 'limits'],
  ['onElict', 'onElicit'],
  ['onElicitation', 'onElicit'],
  ['auth', 'authenticate'],
  ['authentification', 'authenticate'],
  ['colour', undefined],
  ['x', undefined],
  ['port'.repeat(20), undefined],
])('the word nearest to %j is %j', (word, meant) => {
  expect(nearest(word, known)).toBe(meant);
});

test('compares 500 words at most', () => {
  let read = 0;
  const many = function* () {
    for (;;) {
      read++;
      yield `name${read}`;
    }
  };
  expect(nearest('unlike', many())).toBeUndefined();
  expect(read).toBe(501);
});

test('an unknown option without a near name is followed by all names', () => {
  expect(meantOption('prot', known)).toBe(' Did you mean "port"?');
  expect(meantOption('colour', ['a', 'b'])).toBe(' There are: a, b.');
  expect(meantOption('colour', [])).toBe(' There are none.');
});
