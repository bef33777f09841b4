import { expect, it, test } from 'vitest';
import { constantsOf, optionRules, otherBounds, requireOptions, withDefaults } from './option-rules.js';

interface Oven {
  readonly degrees?: number;
  readonly fan?: boolean;
}
const rules = { degrees: optionRules.positive, fan: optionRules.flag };
const given = (options: unknown) => () => requireOptions('bake', options as Oven, rules);

it.each([{}, { degrees: 200 }, { degrees: undefined, fan: false }])(
  'what is right is taken: %j',
  (options) => {
    expect(given(options)).not.toThrow();
  },
);

it.each([
  [{ degres: 200 }, TypeError, 'bake: there is no option "degres". Did you mean "degrees"?'],
  [JSON.parse('{"__proto__": 1}'), TypeError, 'there is no option "__proto__"'],
  [{ constructor: 1 }, TypeError, 'there is no option "constructor"'],
  [{ degrees: '200' }, TypeError, 'bake: degrees must be a positive number.'],
  [{ degrees: Number.NaN }, RangeError, 'bake: degrees must be a positive number.'],
  [{ fan: 'no' }, TypeError, 'bake: fan must be true or false.'],
  [true, TypeError, 'bake takes an object with options.'],
  [null, TypeError, 'bake takes an object with options.'],
])('%j is refused, with what to write instead', (options, kind, message) => {
  expect(given(options)).toThrow(kind);
  expect(given(options)).toThrow(message);
});

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

const constants = { depth: 32 };

test('the bounds that are not options are there too, and no option sets them', () => {
  expect(withDefaults(defaults, undefined, constants)).toEqual({ batch: 100, total: 600, depth: 32 });
  expect(() => withDefaults(defaults, { depth: 4 } as never, constants)).toThrow(/^Unknown limit "depth"/);
});

test('a test sets bounds that are not options, also through a copy of the options', () => {
  const given = { batch: 5, ...otherBounds({ depth: 4 }) };
  expect(withDefaults(defaults, { ...given }, constants)).toEqual({ batch: 5, total: 600, depth: 4 });
  expect(constantsOf(constants, { ...given })).toEqual({ depth: 4 });
  expect(constantsOf(constants, {})).toBe(constants);
});

test('a test that names no bound fails', () => {
  expect(() => withDefaults(defaults, otherBounds({ dept: 4 }), constants)).toThrow('Did you mean "depth"?');
  expect(() => constantsOf(constants, otherBounds({ depth: 0 }))).toThrow(RangeError);
});
