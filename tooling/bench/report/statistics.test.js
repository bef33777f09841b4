import { describe, expect, it } from 'vitest';
import { figureOf, quantilesOf } from './statistics.js';

describe('figureOf', () => {
  it('returns the median of an odd and of an even number of values', () => {
    expect(figureOf([3, 1, 10])).toEqual({ median: 3, low: 1, high: 10 });
    expect(figureOf([4, 1, 2, 10])).toEqual({ median: 3, low: 1, high: 10 });
    expect(figureOf([5])).toEqual({ median: 5, low: 5, high: 5 });
  });
});

describe('quantilesOf', () => {
  it('returns values of the list, in the order of the shares', () => {
    const values = Array.from({ length: 101 }, (_, index) => 100 - index);
    expect(quantilesOf(values, [0.99, 0.5, 0, 1])).toEqual([99, 50, 0, 100]);
  });

  it('interpolates between two values', () => {
    expect(quantilesOf([10, 30], [0.5, 0.75])).toEqual([20, 25]);
  });
});
