import { expect, test } from 'vitest';
import { digestOf } from './digest.js';

test('the digest does not depend on the order of members, at any level', async () => {
  const one = { city: 'Oslo', more: { x: [1, { p: 1, q: 2 }], y: 2 } };
  const other = { more: { y: 2, x: [1, { q: 2, p: 1 }] }, city: 'Oslo' };
  expect(await digestOf(one)).toBe(await digestOf(other));
  expect(await digestOf(one)).not.toBe(await digestOf({ ...one, city: 'Rome' }));
  expect(await digestOf({})).toBe('RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o');
});
