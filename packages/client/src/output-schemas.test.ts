import { describe, expect, it } from 'vitest';
import { OutputSchemas } from './output-schemas.js';

async function judge(
  outputSchema: object,
  content: unknown,
): Promise<{ flaw: string | undefined; reported: string[] }> {
  const reported: string[] = [];
  const schemas = new OutputSchemas(10, (error) => reported.push((error as Error).message));
  schemas.remember([{ name: 't', inputSchema: {}, outputSchema: outputSchema as never }]);
  const flaw = await schemas.flaw('t', content);
  // Once more, as later calls do.
  expect(await schemas.flaw('t', content)).toBe(flaw);
  return { flaw, reported };
}

describe('a result', () => {
  it.each([
    [{ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, { a: 1 }, undefined],
    [
      { type: 'object', properties: { a: { type: 'number' } } },
      { a: 'x' },
      '#/a: Instance type "string" is invalid. Expected "number".',
    ],
    [{ type: 'object', required: ['a'] }, {}, '#: Instance does not have required property "a".'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }] },
      [1],
      '#/0: Instance type "number" is invalid. Expected "string".',
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
      [1],
      '#/0: Instance type "number" is invalid. Expected "string".',
    ],
    [
      { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } },
      1,
      '#: Instance type "number" is invalid. Expected "string".',
    ],
    [{ $id: 'https://a.example/s', $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x', undefined],
    [{ type: 'string', format: 'email' }, 'no mail', undefined],
    [{ type: 'string', pattern: '^a+$' }, 'b', '#: String does not match pattern.'],
    [{ const: { $ref: 'https://a.example' } }, { $ref: 'https://a.example' }, undefined],
    [{ properties: { __proto__: false } }, { a: 1 }, undefined],
  ])('%j, %j', async (schema, content, flaw) => {
    expect(await judge(schema, content)).toEqual({ flaw, reported: [] });
  });
});

const deep = (depth: number): object => (depth === 0 ? {} : { not: deep(depth - 1) });
const many = { anyOf: Array.from({ length: 10_001 }, () => ({})) };
const doubling = (levels: number): object => {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/d${levels}`, $defs };
};
const nested = JSON.parse('['.repeat(300) + ']'.repeat(300)) as unknown;

describe('a schema that could do harm is reported, and results are not checked by it:', () => {
  it.each<[string, object, unknown, string]>([
    ['a remote reference', { $ref: 'https://a.example/s' }, 1, 'it refers to something outside itself'],
    [
      'a relative reference',
      { properties: { a: { $ref: 'other.json' } } },
      {},
      'it refers to something outside itself',
    ],
    ['a reference to nothing', { $ref: '#/$defs/none' }, 1, 'Unresolved $ref'],
    ['an unknown dialect', { $schema: 'https://a.example/dialect' }, 1, 'its dialect is not known'],
    ['a dynamic reference', { $dynamicRef: '#a' }, 1, '$dynamicRef is not supported'],
    [
      'an identity inside',
      { $defs: { a: { $id: 'https://b.example' } } },
      1,
      'a part of it has an $id of its own',
    ],
    ['depth', deep(65), 1, 'it is nested deeper than 64'],
    ['size', many, 1, 'it has more than 10000 parts'],
    [
      'data',
      { enum: Array.from({ length: 50_001 }, (_, index) => index) },
      1,
      'it lists more than 50000 values',
    ],
    ['a dangerous pattern', { pattern: '(a+)+$' }, 'a', 'a pattern repeats what repeats'],
    [
      'a dangerous name pattern',
      { patternProperties: { '(a+)+$': {} } },
      {},
      'a pattern repeats what repeats',
    ],
    ['a part that is no schema', { not: 'a' }, 1, 'a part of it is neither an object nor true or false'],
    ['references that double', doubling(30), 1, 'checking a result took too many steps'],
    ['a reference to itself', { $ref: '#' }, 1, 'checking a result took too many steps|call stack'],
    ['a deep result', { items: { $ref: '#' } }, nested, 'a result is nested deeper than 256'],
    ['a large result', {}, Array.from({ length: 50_001 }, () => 0), 'a result holds more than 50000 values'],
    [
      'a long text for its pattern',
      { pattern: '^a+b+$' },
      'a'.repeat(500),
      'a text of a result is too long for its patterns',
    ],
    [
      'many members to compare',
      { uniqueItems: true },
      Array.from({ length: 1_001 }, (_, index) => index),
      'has more than 1000 members to compare',
    ],
  ])('%s', async (...[, schema, content, why]) => {
    const { flaw, reported } = await judge(schema, content);
    expect(flaw).toBeUndefined();
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(/^Results of the tool "t" are not checked by its output schema: /);
    expect(reported[0]).toMatch(why.includes('|') ? new RegExp(why) : why);
  });
});

it('a large result is checked by a schema that looks at each value a few times', async () => {
  const schema = {
    items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] },
    $defs: { n: { type: 'number' } },
  };
  const content = Array.from({ length: 9_000 }, (_, index) => index);
  expect(await judge(schema, content)).toEqual({ flaw: undefined, reported: [] });
});

it('the schema that was given is not changed', async () => {
  const schema = Object.freeze({
    $ref: '#/$defs/a',
    $defs: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
  });
  expect((await judge(schema, 'x')).reported).toEqual([]);
});

it('keeps no more schemas than it may', () => {
  const schemas = new OutputSchemas(2, () => undefined);
  const tool = (name: string, outputSchema?: object) => ({
    name,
    inputSchema: {},
    ...(outputSchema && { outputSchema }),
  });
  schemas.remember([tool('a', {}), tool('b', {}), tool('c', {}), tool('d')] as never);
  expect(['a', 'b', 'c', 'd'].map((name) => schemas.knows(name))).toEqual([false, true, true, false]);
  schemas.remember([tool('b')] as never);
  expect(schemas.knows('b')).toBe(false);
  schemas.forget();
  expect(schemas.knows('c')).toBe(false);
});
