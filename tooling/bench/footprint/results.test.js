import { describe, expect, test } from 'vitest';
import { failureOf, quartiles, resultOf } from './results.js';

const row = { id: 'weight', title: 'Weight', unit: /** @type {const} */ ('bytes') };

describe('a footprint result', () => {
  test('meets its target up to and with the target itself', () => {
    const met = [1_023, 1_024, 1_025].map(
      (value) => resultOf(row, { contender: 'tenon', value, target: 1_024 }).met,
    );
    expect(met).toEqual([true, true, false]);
  });

  test('without a target is not judged', () => {
    expect(resultOf(row, { contender: 'tmcp', value: 1 })).toEqual({
      ...row,
      better: 'lower',
      contender: 'tmcp',
      label: 'tmcp',
      value: 1,
    });
  });

  test('that is missing misses its target, and says why', () => {
    const result = failureOf(row, { contender: 'tenon', target: 5 }, new Error('the process ended'));
    expect(result).toMatchObject({ value: Number.NaN, met: false, error: 'the process ended' });
  });
});

describe('quartiles', () => {
  test('are values where the count allows it', () => {
    expect(quartiles([5, 1, 4, 2, 3])).toEqual({ low: 2, median: 3, high: 4 });
  });

  test('lie between two values where it does not', () => {
    expect(quartiles([4, 1, 2, 3])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
  });

  test('of one value are that value', () => {
    expect(quartiles([7])).toEqual({ low: 7, median: 7, high: 7 });
  });
});
