import { describe, expect, it } from 'vitest';
import { figureOf } from './statistics.js';

describe('figureOf', () => {
  it('returns the median of an odd and of an even number of values', () => {
    expect(figureOf([3, 1, 10])).toEqual({ median: 3, low: 1, high: 10 });
    expect(figureOf([4, 1, 2, 10])).toEqual({ median: 3, low: 1, high: 10 });
    expect(figureOf([5])).toEqual({ median: 5, low: 5, high: 5 });
  });
});
