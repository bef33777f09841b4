import { expect, it } from 'vitest';
import { digestOf, digestOfAll, isSameSecret } from './secrets.js';

it('digestOf returns SHA-256 in base64url (RFC 7636, appendix B)', async () => {
  expect(await digestOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  );
});

it('digestOfAll distinguishes lists with different boundaries', async () => {
  const lists = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', undefined], ['abc', ''], ['["abc"]']];
  const digests = await Promise.all(lists.map((list) => digestOfAll(list)));
  expect(new Set(digests).size).toBe(lists.length);
});

it.each([
  ['', '', true],
  ['abc', 'abc', true],
  ['abc', 'abd', false],
  ['abc', 'ab', false],
  ['ab', 'abc', false],
  ['', 'a', false],
  ['\u0000', '', false],
])('isSameSecret compares %j with %j', (one, other, same) => {
  expect(isSameSecret(one, other)).toBe(same);
});
