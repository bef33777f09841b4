import { describe, expect, it } from 'vitest';
import { framingOf, stdioBounds } from './framing-options.js';

describe('framing options', () => {
  it('have defaults', () => {
    expect(framingOf({})).toEqual({
      ...stdioBounds,
      maxLineBytes: 16 * 1024 * 1024,
      readWhileBlocked: false,
      delay: expect.any(Function),
    });
  });

  it('must be positive integers', () => {
    for (const maxLineBytes of [0, 1.5, Number.POSITIVE_INFINITY])
      expect(() => framingOf({ maxLineBytes })).toThrow(RangeError);
  });
});
