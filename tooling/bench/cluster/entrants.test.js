import { describe, expect, it } from 'vitest';
import { clusterEntrantsOf, labelOf } from './entrants.js';

describe('clusterEntrantsOf', () => {
  it('includes Tenon in memory and in Redis, and tmcp in Redis, in 1, 2 and 4 processes', () => {
    expect(clusterEntrantsOf({ lifecycle: 'session' }).map(labelOf)).toEqual([
      'floor, 1 process',
      'Tenon, memory, 1 process',
      'Tenon, memory, 2 processes',
      'Tenon, memory, 4 processes',
      'Tenon, Redis, 1 process',
      'Tenon, Redis, 2 processes',
      'Tenon, Redis, 4 processes',
      'tmcp, Redis, 1 process',
      'tmcp, Redis, 2 processes',
      'tmcp, Redis, 4 processes',
    ]);
  });

  it('leaves out tmcp in calls of 2026-07-28', () => {
    const names = clusterEntrantsOf({ lifecycle: 'stateless' }).map(({ contender }) => contender);
    expect(new Set(names)).toEqual(new Set(['floor', 'tenon']));
  });
});
