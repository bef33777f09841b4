import { canonicalText, inexactInteger, isMultiple, ValueSet } from '@tenon/json-schema/equality';
import { countOf, isObject, type Keyword, listOf, malformed, numberOf } from './keyword.js';
import type { Node, Run } from './run.js';

const tests: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value: unknown) => typeof value === 'string'],
  ['number', (value: unknown) => typeof value === 'number' && Number.isFinite(value)],
  ['integer', (value: unknown) => typeof value === 'number' && value % 1 === 0],
  ['boolean', (value: unknown) => typeof value === 'boolean'],
  ['null', (value: unknown) => value === null],
  ['object', isObject],
  ['array', (value: unknown) => Array.isArray(value)],
]);

const largestExact = Number.MAX_SAFE_INTEGER;

const type: Keyword = (value, place) => {
  const names: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (names.length > tests.size) throw malformed(place, 'type', 'a list of different types');
  const wanted = names.map((name) => {
    const test = tests.get(name);
    if (test === undefined) throw malformed(place, 'type', `one of ${[...tests.keys()].join(', ')}`);
    return test;
  });
  const message = `must be ${names.join(',')}`;
  if (names.includes('integer') && !names.includes('number'))
    return (given, run) => {
      if (!wanted.some((test) => test(given))) return run.fail(message);
      return typeof given !== 'number' || Math.abs(given) <= largestExact || run.fail(inexactInteger);
    };
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return (given, run) => only(given) || run.fail(message);
  return (given, run) => wanted.some((test) => test(given)) || run.fail(message);
};

const constant: Keyword = (value) => {
  const message = `must be ${cut(JSON.stringify(value))}`;
  if (typeof value !== 'object' || value === null)
    return (given, run) => given === value || run.fail(message);
  const text = canonicalText(value, () => undefined);
  return (given, run) => {
    if (typeof given !== 'object' || given === null) return run.fail(message);
    return canonicalText(given, (steps) => run.spend(steps)) === text || run.fail(message);
  };
};

const choice: Keyword = (value, place) => {
  const list = listOf(value, place, 'enum');
  const allowed = new ValueSet();
  for (const [index, one] of list.entries()) allowed.add(one, index, () => undefined);
  const shown = list.slice(0, 20).map((one) => cut(JSON.stringify(one)));
  const message = `must be one of ${shown.join(', ')}${list.length > shown.length ? ' …' : ''}`;
  return (given, run) => allowed.has(given, (steps) => run.spend(steps)) || run.fail(message);
};

/** Compares numbers; accepts all other values. */
function bound(keyword: string, sign: string, holds: (value: number, limit: number) => boolean): Keyword {
  return (value, place) => {
    const limit = numberOf(value, place, keyword);
    const message = `must be ${sign} ${limit}`;
    return (given, run) => typeof given !== 'number' || holds(given, limit) || run.fail(message);
  };
}

const multipleOf: Keyword = (value, place) => {
  const divisor = numberOf(value, place, 'multipleOf');
  if (!(divisor > 0 && divisor < Number.POSITIVE_INFINITY))
    throw malformed(place, 'multipleOf', 'a number above 0');
  const message = `must be multiple of ${divisor}`;
  const spend = (run: Run) => (steps: number) => run.spend(steps);
  return (given, run) =>
    typeof given !== 'number' || isMultiple(given, divisor, spend(run)) || run.fail(message);
};

const maxLength: Keyword = (value, place) => {
  const limit = countOf(value, place, 'maxLength');
  const message = `must NOT have more than ${limit} characters`;
  return (given, run) => {
    if (typeof given !== 'string' || given.length <= limit) return true;
    // A character beyond the first plane counts once but has two code units.
    if (given.length > 2 * limit) return run.fail(message);
    run.spend(given.length >> 4);
    return characters(given) <= limit || run.fail(message);
  };
};

const minLength: Keyword = (value, place) => {
  const limit = countOf(value, place, 'minLength');
  const message = `must NOT have fewer than ${limit} characters`;
  return (given, run) => {
    if (typeof given !== 'string' || given.length >= 2 * limit) return true;
    run.spend(given.length >> 4);
    return characters(given) >= limit || run.fail(message);
  };
};

const pattern: Keyword = (value, place) => {
  if (typeof value !== 'string') throw malformed(place, 'pattern', 'a string');
  const { test } = place.pattern(value);
  const message = `must match pattern "${value}"`;
  const check: Node = (given, run) =>
    typeof given !== 'string' || test(given, (steps) => run.spend(steps)) || run.fail(message);
  return check;
};

/** Keywords about a single value: its type, its choices, bounds of a number, length and pattern of a text. */
export const assertions: ReadonlyMap<string, Keyword> = new Map([
  ['type', type],
  ['maximum', bound('maximum', '<=', (value, limit) => value <= limit)],
  ['minimum', bound('minimum', '>=', (value, limit) => value >= limit)],
  ['exclusiveMaximum', bound('exclusiveMaximum', '<', (value, limit) => value < limit)],
  ['exclusiveMinimum', bound('exclusiveMinimum', '>', (value, limit) => value > limit)],
  ['multipleOf', multipleOf],
  ['maxLength', maxLength],
  ['minLength', minLength],
  ['pattern', pattern],
  ['const', constant],
  ['enum', choice],
]);

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function cut(text: string | undefined): string {
  const known = text ?? 'undefined';
  return known.length <= 300 ? known : `${known.slice(0, 299)}…`;
}
