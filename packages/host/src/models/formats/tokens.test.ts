import { expect, it } from 'vitest';
import { estimateTokens } from './tokens.js';

it('estimates the tokens of texts and of values as JSON', () => {
  expect(estimateTokens('')).toBe(0);
  expect(estimateTokens(undefined)).toBe(0);
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBeGreaterThan(7);
  expect(estimateTokens('The quick brown fox jumps over the lazy dog.')).toBeLessThan(14);
  expect(estimateTokens({ a: [1, 2] })).toBe(estimateTokens('{"a":[1,2]}'));
});

it('estimates a long text by its beginning', () => {
  const text = 'word '.repeat(100_000);
  expect(estimateTokens(text)).toBeGreaterThan(estimateTokens(text.slice(0, 200_000)) * 2);
});
