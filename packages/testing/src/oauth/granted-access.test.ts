import { expect, test } from 'vitest';
import { ReplayGuard } from './granted-access.js';

test('accepts a name once, until it expires', () => {
  let now = 0;
  const guard = new ReplayGuard(10, () => now);
  expect(guard.take('a', 100)).toBe(true);
  expect(guard.take('a', 100)).toBe(false);
  expect(guard.take('b', 100)).toBe(true);
  now = 100;
  expect(guard.take('a', 200)).toBe(true);
  expect(guard.take('a', 200)).toBe(false);
});
