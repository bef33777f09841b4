import { expect, test } from 'vitest';
import { faultKinds, nextFault } from './fault-plan.js';
import { randomOf } from './random.js';

test('the same seed plans the same faults, another seed others', () => {
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
});

test('every kind of fault comes, and only a new connection is refused', () => {
  const kinds = new Set(plan(3).map(({ kind }) => kind));
  expect([...faultKinds].filter((kind) => !kinds.has(kind))).toEqual([]);
  const later = Array.from({ length: 500 }, (_, number) => nextFault(randomOf(4, number), false));
  expect(later.some(({ kind }) => kind === 'refuse')).toBe(false);
});

/** @param {number} seed */
function plan(seed) {
  return Array.from({ length: 500 }, (_, number) => nextFault(randomOf(seed, number), true));
}
