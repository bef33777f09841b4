import { expect, it } from 'vitest';
import { optionRules, requireOptions } from './option-rules.js';

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
