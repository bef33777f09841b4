import { describe, expect, it } from 'vitest';
import { defaultHttpLimits, httpLimits } from './http-limits.js';

describe('limits', () => {
  it('have defaults', () => {
    expect(httpLimits(undefined)).toEqual(defaultHttpLimits);
    expect(httpLimits({ retry: undefined } as never)).toEqual(defaultHttpLimits);
  });

  it('can be replaced one by one', () => {
    expect(httpLimits({ sessions: 5 })).toEqual({ ...defaultHttpLimits, sessions: 5 });
    expect(httpLimits({ sessions: Number.POSITIVE_INFINITY }).sessions).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([0, -1, Number.NaN, '5', null, {}])('reject %j', (value) => {
    expect(() => httpLimits({ sessions: value as number })).toThrow(RangeError);
  });

  it.each([
    ['session', 'sessions'],
    ['toString', 'bodyBytes'],
    ['__proto__', 'bodyBytes'],
  ])('reject the unknown name %s', (name, named) => {
    expect(() => httpLimits(JSON.parse(`{"${name}":5}`))).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(named) }),
    );
  });
});
