import { expect, test } from 'vitest';
import { defaultLimits, withDefaults } from './limits.js';

test('uses the default for each limit that is not set', () => {
  expect(withDefaults(defaultLimits, undefined)).toBe(defaultLimits);
  expect(withDefaults(defaultLimits, { batch: 5 })).toEqual({ ...defaultLimits, batch: 5 });
  expect(withDefaults(defaultLimits, { batch: undefined as never })).toEqual(defaultLimits);
});

test.each([0, -1, Number.NaN, '5', null])('%j is no bound', (batch) => {
  expect(() => withDefaults(defaultLimits, { batch: batch as never })).toThrow(RangeError);
});

test.each([
  ['bach', /^Unknown limit "bach"\. Did you mean "batch"\?$/],
  ['toString', /^Unknown limit "toString"\. There are: inFlight, pending, batch/],
])('%s is no limit, and the error names the nearest or all', (name, message) => {
  expect(() => withDefaults(defaultLimits, { [name]: 1 })).toThrow(message);
});

test('no bound is a bound', () => {
  expect(withDefaults(defaultLimits, { requestTotal: Number.POSITIVE_INFINITY }).requestTotal).toBe(
    Number.POSITIVE_INFINITY,
  );
});

test('the defaults are those of the documentation', () => {
  expect(defaultLimits).toEqual({
    inFlight: 1_024,
    pending: 1_024,
    batch: 100,
    batchAnswers: 8_388_608,
    requestTimeout: 60_000,
    requestTotal: 600_000,
    progressPerSecond: 100,
    drain: 5_000,
    introduction: 65_536,
  });
});
