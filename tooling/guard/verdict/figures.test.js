import { expect, it } from 'vitest';
import { figuresOf } from './figures.js';

it('returns the median of the batches for each function and count', () => {
  const batch = (/** @type {number} */ isObject, /** @type {number} */ timers) => ({
    functions: [
      { owner: 'tenon', name: 'protocol/json.ts isObject', calls: isObject },
      { owner: 'zod', name: 'v4/core/schemas.js validate', calls: 10 },
      { owner: 'zod', name: 'v4/core/schemas.js run', calls: 30 },
      { owner: 'generated', name: 'validate20', calls: 20 },
      { owner: 'node', name: 'internal/timers processTimers', calls: timers },
    ],
    tally: { parse: 10, timers },
  });
  const calls = {
    batches: [batch(30, 0), batch(31, 0), batch(30, 7)],
    callers: { parse: { 'session/a.ts b': 10 } },
  };
  const batches = [
    { allocated: 1000, kept: 0 },
    { allocated: 1010, kept: 900 },
    { allocated: 9000, kept: -10 },
  ];
  const figures = figuresOf({ calls, bytes: { batches, allocators: { node: 500 } } }, 10);
  expect(figures.counts).toEqual({
    ...{ parse: 1, timers: 0, validations: 3, calls: 3, libraryCalls: 6, nodeCalls: 0 },
    ...{ allocated: 101, kept: 0 },
  });
  expect(figures.functions).toEqual({ 'protocol/json.ts isObject': 3 });
  expect(figures.callers).toEqual({
    parse: { 'session/a.ts b': 1 },
    validations: { 'zod v4/core/schemas.js validate': 1, 'generated validate20': 2 },
  });
  expect(figures.allocators).toEqual({ node: 50 });
});
