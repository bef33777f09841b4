import { expect, test } from 'vitest';
import { documentOf } from '../../test/api.js';
import { fromOpenApi } from '../index.js';

const string = { type: 'string' };

/** Returns the schema of the parameter `a` in a document of 3.0. */
function converted(schema: object, { version = '3.0.4', schemas = {} } = {}): unknown {
  const parameters = [{ in: 'query', name: 'a', schema }];
  const document = {
    ...documentOf({ '/a': { get: { parameters, responses: {} } } }, { components: { schemas } }),
    openapi: version,
  };
  const { tools, skipped } = fromOpenApi(document, { baseUrl: 'https://pets.example' });
  const input = tools[0]?.options.input as { properties: { a: unknown }; $defs?: object } | undefined;
  return input === undefined ? skipped[0]?.reason : input.properties.a;
}

test.each([
  [{ ...string, nullable: true }, { type: ['string', 'null'] }],
  [
    { ...string, nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    { nullable: true, allOf: [string], description: 'D' },
    { description: 'D', anyOf: [{ allOf: [string] }, { type: 'null' }] },
  ],
  [
    { type: 'number', minimum: 1, exclusiveMinimum: true },
    { type: 'number', exclusiveMinimum: 1 },
  ],
  [
    { type: 'number', maximum: 1, exclusiveMaximum: false },
    { type: 'number', maximum: 1 },
  ],
  [
    { ...string, example: 'x' },
    { ...string, examples: ['x'] },
  ],
  [
    { type: 'object', properties: { example: string, nullable: { type: 'boolean' } } },
    { type: 'object', properties: { example: string, nullable: { type: 'boolean' } } },
  ],
  [{ type: 'file', xml: { name: 'x' }, 'x-own': 1, discriminator: {} }, {}],
])('converts %j of 3.0 to 2020-12', (schema, expected) => {
  expect(converted(schema)).toEqual(expected);
});

test('keeps JSON Schema 2020-12 of 3.1', () => {
  const schema = {
    type: ['object', 'null'],
    properties: { a: { const: 1 }, b: { type: 'array', prefixItems: [string], items: false } },
    patternProperties: { '^x-': string },
    dependentRequired: { a: ['b'] },
    if: { required: ['a'] },
    ...Object.fromEntries([['then', { required: ['b'] }]]),
    additionalProperties: false,
  };
  expect(converted(schema, { version: '3.1.1' })).toEqual(schema);
});

test('leaves out limits that are malformed or that no pattern of ECMAScript has', () => {
  expect(converted({ ...string, pattern: '(?i)a', maxLength: '5', minLength: -1, enum: [] })).toEqual(string);
  expect(converted({ ...string, pattern: '(a+)+$' })).toEqual(string);
});

test('keeps recursive schemas as definitions', () => {
  const schemas = {
    Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' }, name: string } },
  };
  const document = documentOf(
    {
      '/a': {
        post: {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } },
          },
          responses: {},
        },
      },
    },
    { components: { schemas } },
  );
  const { tools } = fromOpenApi(document, { baseUrl: 'https://pets.example' });
  const node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, name: string } };
  expect(tools[0]?.options.input).toMatchObject({
    properties: { next: { $ref: '#/$defs/Node' }, name: string },
    $defs: { Node: node },
  });
});

test('names definitions of equal names apart, and follows references into any part of the document', () => {
  const schemas = {
    A: { type: 'object', properties: { $defs: string, self: { $ref: '#/components/schemas/A' } } },
    'b/A': { type: 'array', items: { $ref: '#/components/schemas/b~1A' } },
  };
  const schema = {
    type: 'object',
    properties: {
      one: { $ref: '#/components/schemas/A' },
      two: { $ref: '#/components/schemas/b~1A' },
      three: { $ref: '#/components/schemas/A/properties/$defs' },
    },
  };
  const found = converted(schema, { schemas }) as { properties: Record<string, object> };
  expect(found.properties.three).toEqual(string);
  expect(new Set(Object.values(found.properties).map((one) => JSON.stringify(one))).size).toBe(3);
});

test.each([
  ['other.yaml#/A', 'is not a JSON pointer into this document: bundle the document into one file first'],
  ['https://evil.example/a.json', 'is not a JSON pointer into this document'],
  ['#/components/schemas/None', 'leads to nothing'],
  ['#/__proto__', 'leads to nothing'],
  ['#/components/schemas/Loop', 'leads to itself'],
])('skips an operation with the reference %s', (reference, reason) => {
  const schemas = { Loop: { $ref: '#/components/schemas/Loop' } };
  expect(converted({ $ref: reference }, { schemas })).toContain(reason);
});

test('has the upper levels alone of a schema that is too large for a model', () => {
  const level = (depth: number): object => ({
    type: 'object',
    description: `Level ${depth}`,
    properties: Object.fromEntries(
      [...'abcdef'].map((name) => [name, depth === 0 ? string : level(depth - 1)]),
    ),
  });
  const schema = converted(level(5));
  const text = JSON.stringify(schema);
  expect(text.length).toBeLessThan(12_000);
  expect(text).toContain('"properties":{"a":{"description":"Level 3","type":"object"}');
});

test('accepts each alternative of a schema that is too large for a model', () => {
  const alternative = (name: string): object => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `${name}${index}`,
        { ...string, description: 'x'.repeat(200) },
      ]),
    ),
  });
  const schema = {
    type: 'object',
    properties: { a: { oneOf: [alternative('a'), alternative('b')] } },
    not: alternative('c'),
  };
  expect(converted(schema)).toEqual({
    type: 'object',
    properties: { a: { anyOf: [{ type: 'object' }, { type: 'object' }] } },
  });
});
