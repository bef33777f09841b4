import { describe, expect, it } from 'vitest';
import { patternCost } from './pattern-cost.js';

describe('a pattern', () => {
  it.each([
    ['^[a-z]{2}$', 1],
    ['^a?b$', 1],
    ['^[+*(]$', 1],
    ['^\\w+$', 2],
    ['^(?:ab){1,3}$', 1],
    ['^(foo|bar)?$', 1],
    ['^\\d{4,}-\\d{40}$', 3],
    ['^[^@]+@[^@]+$', 3],
  ])('%s costs the power %i', (pattern, cost) => {
    expect(patternCost(pattern)).toBe(cost);
  });

  it.each([
    ['(a+)+$', 'repeats what repeats'],
    ['((a|aa))*b', 'repeats what repeats'],
    ['(?:a*b?){50}', 'repeats what repeats'],
    ['(a)\\1', 'refers back'],
    ['(?<x>a)\\k<x>', 'refers back'],
    ['^(?=.*a)', 'looks around'],
    ['(?<!a)b', 'looks around'],
    ['a*a*a*a*a*b', 'too many repeats'],
    ['(', 'no regular expression'],
    ['a'.repeat(257), 'longer than 256'],
  ])('%s is refused', (pattern, why) => {
    expect(() => patternCost(pattern)).toThrow(why);
  });
});
