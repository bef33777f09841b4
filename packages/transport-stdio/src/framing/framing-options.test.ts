import { describe, expect, it } from 'vitest';
import { framingOf } from './framing-options.js';

describe('framing options', () => {
  it('have defaults', () => {
    expect(framingOf({})).toEqual({
      maxLineBytes: 16 * 1024 * 1024,
      maxNesting: 512,
      maxQueued: 256 * 1024 * 1024,
      endGraceMs: 500,
      flushWaitMs: 2000,
      readWhileBlocked: false,
      delay: expect.any(Function),
    });
  });

  it('must be positive integers and milliseconds', () => {
    for (const bad of [
      { maxLineBytes: 0 },
      { maxNesting: 1.5 },
      { maxQueued: Number.POSITIVE_INFINITY },
      { endGraceMs: -1 },
      { flushWaitMs: Number.NaN },
    ]) {
      expect(() => framingOf(bad)).toThrow(RangeError);
    }
  });
});
