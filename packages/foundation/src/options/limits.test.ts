import { expect, test } from 'vitest';
import { withDefaults } from './limits.js';

const defaults = { batch: 100, total: 600 };

test('uses the default for each limit that is not set', () => {
  expect(withDefaults(defaults, undefined)).toBe(defaults);
  expect(withDefaults(defaults, { batch: 5 })).toEqual({ batch: 5, total: 600 });
  expect(withDefaults(defaults, { batch: undefined })).toEqual(defaults);
});

test.each([0, -1, Number.NaN, '5', null])('rejects %j as a limit', (batch) => {
  expect(() => withDefaults(defaults, { batch: batch as never })).toThrow(RangeError);
});

test.each([
  ['bach', /^Unknown limit "bach"\. Did you mean "batch"\?$/],
  ['toString', /^Unknown limit "toString"\. There are: batch, total\.$/],
  ['__proto__', /^Unknown limit "__proto__"/],
])('rejects the unknown limit %s, and names the nearest or all', (name, message) => {
  expect(() => withDefaults(defaults, JSON.parse(`{"${name}":1}`))).toThrow(message);
});

test('accepts infinity, for no limit', () => {
  expect(withDefaults(defaults, { total: Number.POSITIVE_INFINITY }).total).toBe(Number.POSITIVE_INFINITY);
});
