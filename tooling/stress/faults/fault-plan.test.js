import { expect, test } from 'vitest';
import { faultKinds, nextFault } from './fault-plan.js';
import { randomOf } from './random.js';

test('plans the same faults for the same seed, and other faults for another seed', () => {
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
});

test('plans every kind of fault, and refuses only new connections', () => {
  const kinds = new Set(plan(3).map(({ kind }) => kind));
  expect([...faultKinds].filter((kind) => !kinds.has(kind))).toEqual([]);
  const later = Array.from({ length: 500 }, (_, number) => nextFault(randomOf(4, number), false));
  expect(later.some(({ kind }) => kind === 'refuse')).toBe(false);
});

/** @param {number} seed */
function plan(seed) {
  return Array.from({ length: 500 }, (_, number) => nextFault(randomOf(seed, number), true));
}
