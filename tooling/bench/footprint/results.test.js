import { describe, expect, test } from 'vitest';
import { failureOf, quartiles, resultOf } from './results.js';

const row = { id: 'weight', title: 'Weight', unit: /** @type {const} */ ('bytes') };

describe('a footprint result', () => {
  test('meets a target that it equals', () => {
    const met = [1_023, 1_024, 1_025].map(
      (value) => resultOf(row, { contender: 'tenon', value, target: 1_024 }).met,
    );
    expect(met).toEqual([true, true, false]);
  });

  test('has no verdict without a target', () => {
    expect(resultOf(row, { contender: 'tmcp', value: 1 })).toEqual({
      ...row,
      better: 'lower',
      contender: 'tmcp',
      label: 'tmcp',
      value: 1,
    });
  });

  test('misses its target without a figure, with the reason', () => {
    const result = failureOf(row, { contender: 'tenon', target: 5 }, new Error('the process ended'));
    expect(result).toMatchObject({ value: Number.NaN, met: false, error: 'the process ended' });
  });
});

describe('quartiles', () => {
  test('are values of the list for a suitable count', () => {
    expect(quartiles([5, 1, 4, 2, 3])).toEqual({ low: 2, median: 3, high: 4 });
  });

  test('are interpolated for other counts', () => {
    expect(quartiles([4, 1, 2, 3])).toEqual({ low: 1.75, median: 2.5, high: 3.25 });
  });

  test('equal a single value', () => {
    expect(quartiles([7])).toEqual({ low: 7, median: 7, high: 7 });
  });
});
