import { describe, expect, test } from 'vitest';
import {
  all,
  anything,
  between,
  boolean,
  describeProblem,
  integer,
  list,
  mapOf,
  number,
  object,
  oneOf,
  record,
  string,
  tagged,
  token,
  type WireCheck,
} from './check.js';

function problemIn(check: WireCheck, value: unknown): string | undefined {
  const problem = check(value);
  return problem && describeProblem(problem, 'params');
}

const person = object({ name: string }, { age: integer, tags: list(string), home: object({ city: string }) });

const rows: [string, WireCheck, unknown, string | undefined][] = [
  ['anything', anything, null, undefined],
  ['string', string, '', undefined],
  ['string', string, 1, 'params: expected a string'],
  ['number', number, 1.5, undefined],
  ['number', number, '1', 'params: expected a number'],
  ['integer', integer, 1.5, 'params: expected an integer'],
  ['boolean', boolean, 0, 'params: expected true or false'],
  ['record', record, [], 'params: expected an object'],
  ['record', record, null, 'params: expected an object'],
  ['token', token, 0, undefined],
  ['token', token, '', undefined],
  ['token', token, 1.5, 'params: expected a string or an integer'],
  ['token', token, null, 'params: expected a string or an integer'],
  ['between', between(0, 1), 1, undefined],
  ['between', between(0, 1), 1.1, 'params: expected a number from 0 to 1'],
  ['oneOf', oneOf('a', 'b'), 'c', 'params: expected one of "a", "b"'],
  ['oneOf', oneOf('a'), 'toString', 'params: expected one of "a"'],
  ['list', list(string), ['a', 1], 'params[1]: expected a string'],
  ['list', list(list(string)), [['a'], ['b', 2]], 'params[1][1]: expected a string'],
  ['list', list(person), [{}], 'params[0].name: is required'],
  ['list', list(string), {}, 'params: expected an array'],
  ['mapOf', mapOf(string), { a: 'x', b: 1 }, 'params.b: expected a string'],
  ['mapOf', mapOf(list(string)), { a: [1] }, 'params.a[0]: expected a string'],
  ['object', person, { name: 'x', more: 1 }, undefined],
  ['object', person, { name: 'x', age: undefined }, undefined],
  ['object', person, { age: 'x' }, 'params.name: is required'],
  ['object', person, { name: null }, 'params.name: expected a string'],
  ['object', person, { name: 'x', age: null }, 'params.age: expected an integer'],
  ['object', person, { name: 'x', home: {} }, 'params.home.city: is required'],
  ['object', person, { name: 'x', tags: ['a', 2] }, 'params.tags[1]: expected a string'],
  ['object', person, [], 'params: expected an object'],
  ['one member', object({ a: string }), { b: 1 }, 'params.a: is required'],
  ['one member', object({ a: string }), [], 'params: expected an object'],
  ['one member', object({}, { a: string }), { a: 1, b: 1 }, 'params.a: expected a string'],
  ['one member', object({}, { a: string }), { a: undefined, b: 1 }, undefined],
  ['all', all(record, object({ a: string })), { a: 1 }, 'params.a: expected a string'],
  ['tagged', tagged('type', { a: object({ x: string }) }), { type: 'a' }, 'params.x: is required'],
  ['tagged', tagged('type', { a: anything }), { type: 'b' }, 'params.type: expected one of "a"'],
  ['tagged', tagged('type', { a: anything }), { type: 'constructor' }, 'params.type: expected one of "a"'],
  ['tagged', tagged('type', { a: anything }), 'a', 'params: expected an object'],
];

test.each(rows)('%s: %#', (...[, check, value, expected]) => {
  expect(problemIn(check, value)).toBe(expected);
});

describe('objects from the wire', () => {
  test('members named like those of every object are not there unless they were sent', () => {
    expect(problemIn(object({ name: string }), JSON.parse('{"__proto__":{"name":"x"}}'))).toBe(
      'params.name: is required',
    );
    expect(problemIn(mapOf(string), JSON.parse('{"__proto__":1}'))).toBe(
      'params.__proto__: expected a string',
    );
  });

  test('a path of the length of a message is cut', () => {
    const sentence = problemIn(mapOf(string), { ['k'.repeat(100_000)]: 1 }) as string;
    expect(sentence.length).toBeLessThan(300);
  });
});
