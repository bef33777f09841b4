import { describe, expect, it } from 'vitest';
import { schemaChanges } from './schema-changes.js';

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const a = (schema: object) => object({ a: schema });

/** Before, after, and the change; a star marks a change that breaks callers. */
const input = [
  ['a new required member', object({}), object({ a: {} }, { required: ['a'] }), 'input.a added, required *'],
  ['a new optional member', object({}), a({}), 'input.a added'],
  ['a removed member', a({}), object({}), 'input.a removed *'],
  [
    'a member that became required',
    a({}),
    object({ a: {} }, { required: ['a'] }),
    'input.a is required now *',
  ],
  ['a member that became optional', object({ a: {} }, { required: ['a'] }), a({}), 'input.a is optional now'],
  [
    'a narrower type',
    a({ type: ['string', 'number'] }),
    a({ type: 'string' }),
    'input.a is string, was string or number *',
  ],
  ['a wider type', a({ type: 'integer' }), a({ type: 'number' }), 'input.a is number, was integer'],
  ['a type where there was none', a({}), a({ type: 'string' }), 'input.a is string, was anything *'],
  ['a removed value', a({ enum: [1, 2] }), a({ enum: [1] }), 'input.a value 2 removed *'],
  ['a new value', a({ enum: [1] }), a({ enum: [1, 2] }), 'input.a value 2 added'],
  ['a new list of values', a({}), a({ const: 1 }), 'input.a is limited to 1 now *'],
  ['a higher minimum', a({ minimum: 1 }), a({ minimum: 2 }), 'input.a minimum is 2, was 1 *'],
  ['a higher maximum', a({ maximum: 1 }), a({ maximum: 2 }), 'input.a maximum is 2, was 1'],
  ['a removed maximum', a({ maxLength: 1 }), a({}), 'input.a maxLength removed'],
  ['a new maximum', a({}), a({ maxLength: 1 }), 'input.a maxLength 1 added *'],
  ['a new pattern', a({}), a({ pattern: '^a' }), 'input.a pattern added *'],
  ['a removed pattern', a({ pattern: '^a' }), a({}), 'input.a pattern removed'],
  [
    'rejected other members',
    object({}),
    object({}, { additionalProperties: false }),
    'input other members are rejected now *',
  ],
  [
    'accepted other members',
    object({}, { additionalProperties: false }),
    object({}),
    'input other members are accepted now',
  ],
  ['a description', a({ description: 'x' }), a({ description: 'y' }), 'input.a description is "y", was "x"'],
  [
    'a text that differs at its end, from there',
    a({ description: `${'long '.repeat(20)}one` }),
    a({ description: `${'long '.repeat(20)}two` }),
    'input.a description is "...long long long long two", was "...long long long long one"',
  ],
  [
    'an alternative to a type',
    a({ type: 'string', description: 'x' }),
    a({ anyOf: [{ type: 'string' }, { type: 'object' }], description: 'x' }),
    'input.a alternative {"type":"object"} added',
  ],
  [
    'a type in place of alternatives',
    a({ anyOf: [{ type: 'string' }, { type: 'object' }] }),
    a({ type: 'string' }),
    'input.a alternative {"type":"object"} removed *',
  ],
  [
    'a list of values that was removed',
    a({ enum: ['a', 'b'] }),
    a({}),
    'input.a is no longer limited to "a", "b"',
  ],
  [
    'an integer, without the bounds that libraries write',
    a({ type: 'number' }),
    a({ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }),
    'input.a is integer, was number *',
  ],
  [
    'items',
    a({ items: { type: 'string' } }),
    a({ items: { type: 'number' } }),
    'input.a[] is number, was string *',
  ],
  [
    'a removed alternative',
    a({ anyOf: [{ type: 'null' }, { type: 'string' }] }),
    a({ anyOf: [{ type: 'null' }] }),
    'input.a alternative {"type":"string"} removed *',
  ],
  [
    'a referenced schema',
    { ...a({ $ref: '#/$defs/b' }), $defs: { b: { type: 'string' } } },
    { ...a({ $ref: '#/$defs/b' }), $defs: { b: { type: 'number' } } },
    'input.a is number, was string *',
  ],
  [
    'a recursive schema',
    { ...a({ $ref: '#/$defs/b' }), $defs: { b: object({ b: { $ref: '#/$defs/b' }, c: {} }) } },
    { ...a({ $ref: '#/$defs/b' }), $defs: { b: object({ b: { $ref: '#/$defs/b' } }) } },
    'input.a.c removed *',
  ],
] as const;

const output = [
  ['a removed member', a({}), object({}), 'output.a removed *'],
  ['a new member', object({}), a({}), 'output.a added'],
  [
    'a member that became optional',
    object({ a: {} }, { required: ['a'] }),
    a({}),
    'output.a is optional now *',
  ],
  [
    'a wider type',
    a({ type: 'string' }),
    a({ type: ['string', 'null'] }),
    'output.a is string or null, was string *',
  ],
  [
    'a narrower type',
    a({ type: ['string', 'null'] }),
    a({ type: 'string' }),
    'output.a is string, was string or null',
  ],
  ['a new value', a({ enum: [1] }), a({ enum: [1, 2] }), 'output.a value 2 added *'],
] as const;

const described = (before: unknown, after: unknown, direction: 'input' | 'output') =>
  schemaChanges(before, after, direction).map(
    ({ path, text, breaking }) => `${path} ${text}${breaking ? ' *' : ''}`,
  );

describe('schemaChanges', () => {
  it.each(input)('reports %s of the input', (...[, before, after, change]) => {
    expect(described(before, after, 'input')).toEqual([change]);
  });

  it.each(output)('reports %s of the output', (...[, before, after, change]) => {
    expect(described(before, after, 'output')).toEqual([change]);
  });

  it('reports nothing for equal schemas in another order of members', () => {
    expect(described({ type: 'object', title: 'a' }, { title: 'a', type: 'object' }, 'input')).toEqual([]);
  });

  it('ends with a deep, a cyclic and a broken schema', () => {
    const deep = (type: string) => {
      let schema: object = { type };
      for (let level = 0; level < 500; level++) schema = { items: schema };
      return schema;
    };
    expect(described(deep('string'), deep('number'), 'input')).toEqual([
      expect.stringMatching(/^input(?:\[\])+ changed; the rest is too large to compare \*$/),
    ]);
    const cyclic = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    expect(described(cyclic, { type: 'string' }, 'input')).toEqual(['input changed *']);
    expect(described(null, 7, 'input')).toEqual(['input changed *']);
  });
});
