import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createServer } from '../server.js';

const info = { name: 'test', version: '1' };

function own(json: unknown): object {
  const converter = { input: () => json, output: () => json };
  const validate = (value: unknown) => ({ value });
  return { '~standard': { version: 1, vendor: 'own', validate, jsonSchema: converter } };
}

class City {
  name = '';
}

const notOne = 'expected a schema of zod, valibot or arktype, or a plain JSON Schema object, not';
const neither =
  'this is neither a Standard Schema nor a plain JSON Schema object; ' +
  'use zod 4.2, arktype 2.1.28 or newer, or valibot with toStandardJsonSchema(schema)';
const unwritable = (reason: string) =>
  `the schema cannot be written as JSON Schema (${reason}); use types that JSON has, or plain JSON Schema`;
const ofObject = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

type Row = readonly [title: string, schema: unknown, text: string];

const inputs: readonly Row[] = [
  ['a schema of zod 3', Object.assign(Object.create({ parse: () => 0 }), { _def: {} }), neither],
  [
    'a late zod 3',
    { '~standard': { version: 1, vendor: 'zod', validate: () => 0 } },
    'this zod schema gives no JSON Schema to list; use zod 4.2 or newer',
  ],
  [
    'a shape without z.object',
    { city: z.string() },
    'this is an object of schemas; make it one schema, as in z.object({ ... })',
  ],
  [
    'valibot alone',
    v.object({}),
    'this valibot schema gives no JSON Schema to list; wrap it: toStandardJsonSchema(schema) from @valibot/to-json-schema 1.5 or newer',
  ],
  ['a class', City, `${notOne} a class; describe its members`],
  ['an instance of one', new City(), neither],
  ['a function', () => z.object({}), `${notOne} a function; call it, if it makes a schema`],
  ['a promise', Promise.resolve({ type: 'object' }), `${notOne} a promise; await it first`],
  ['JSON text', '{"type":"object"}', `${notOne} a string; parse it first, if it is JSON`],
  ['a list', [{ type: 'object' }], `${notOne} a list; for one of several schemas use anyOf`],
  ['null', null, `${notOne} null; leave the option out where there is no schema`],
  ['a number', 5, `${notOne} a number`],
  ['z.date', z.object({ at: z.date() }), unwritable('Date cannot be represented in JSON Schema')],
  [
    'z.map',
    z.object({ m: z.map(z.string(), z.string()) }),
    unwritable('Map cannot be represented in JSON Schema'),
  ],
  ['z.bigint', z.object({ n: z.bigint() }), unwritable('BigInt cannot be represented in JSON Schema')],
  ['z.symbol', z.object({ s: z.symbol() }), unwritable('Symbols cannot be represented in JSON Schema')],
  [
    'z.custom',
    z.object({ f: z.custom(() => true) }),
    unwritable('Custom types cannot be represented in JSON Schema'),
  ],
  [
    'no object',
    z.string(),
    'the schema must describe an object, because arguments have names; wrap it, as in z.object({ value: ... })',
  ],
  [
    'a library that is not ready',
    own(Promise.resolve({})),
    'the schema library gives its JSON Schema as a promise, where it must be there at once; use plain JSON Schema instead',
  ],
  [
    'a library that gives nothing',
    own(undefined),
    'the schema library gave no JSON Schema object; use plain JSON Schema instead',
  ],
  ['no object root', { properties: {} }, 'the root of the JSON Schema must say type: "object"; add it'],
  [
    'an unknown dialect',
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
    'the dialect "http://json-schema.org/draft-04/schema#" in "$schema" is not supported; supported are "https://json-schema.org/draft/2020-12/schema" and "http://json-schema.org/draft-07/schema", and without "$schema" it is 2020-12',
  ],
  [
    'a remote reference',
    ofObject({ a: { $ref: 'https://x.test/a.json' } }),
    '"$ref" at properties.a points outside the schema, to "https://x.test/a.json"; nothing is fetched, so copy the target into "$defs" and refer to it as "#/$defs/name"',
  ],
  [
    'a reference to nothing',
    ofObject({ a: { $ref: '#/$defs/a' } }),
    '"$ref" at properties.a points at "#/$defs/a", which is not in the schema; add it or correct the reference',
  ],
  ['an asynchronous schema', ofObject({}, { $async: true }), '$async is not JSON Schema; remove it'],
  [
    'a pattern that explodes',
    ofObject({ a: { pattern: '^(a+)+$' } }),
    'properties.a.pattern could take forever on a text made for that (a pattern repeats what repeats, or repeats a choice whose branches overlap); let no two repeats take the same text',
  ],
  [
    'a name pattern that explodes',
    ofObject({}, { patternProperties: { '(x|x)*y': {} } }),
    'patternProperties "(x|x)*y" could take forever on a text made for that (a pattern repeats what repeats, or repeats a choice whose branches overlap); let no two repeats take the same text',
  ],
  [
    'a pattern that explodes in zod',
    z.object({ a: z.string().regex(/^(a+)+$/) }),
    'properties.a.pattern could take forever on a text made for that (a pattern repeats what repeats, or repeats a choice whose branches overlap); let no two repeats take the same text',
  ],
  [
    'a flag for required',
    ofObject({ a: { type: 'string', required: true } }),
    'properties.a.required must be a list of property names on the object schema, as in required: ["city"]',
  ],
  [
    'a keyword of draft-07',
    ofObject({}, { dependencies: { a: ['b'] } }),
    'dependencies is not in 2020-12, which has "dependentRequired" and "dependentSchemas" instead',
  ],
];

describe('the input of a tool is refused that is', () => {
  it.each(inputs)('%s', (_title, schema, text) => {
    const register = () => createServer(info).tool('forecast', { input: schema as never }, () => 'x');
    expect(register).toThrow(TypeError);
    expect(register).toThrow(new TypeError(`tool "forecast" input: ${text}`));
  });
});

describe('the output of a tool is refused that is', () => {
  it.each<Row>([
    ['z.map', z.map(z.string(), z.string()), unwritable('Map cannot be represented in JSON Schema')],
    [
      'a transform',
      z.object({ n: z.string().transform(Number) }),
      unwritable('Transforms cannot be represented in JSON Schema'),
    ],
    [
      'a remote reference',
      { $ref: 'other' },
      '"$ref" at the root points outside the schema, to "other"; nothing is fetched, so copy the target into "$defs" and refer to it as "#/$defs/name"',
    ],
    ['a function', () => undefined, `${notOne} a function; call it, if it makes a schema`],
  ])('%s', (_title, schema, text) => {
    const register = () =>
      createServer(info).tool('forecast', { output: schema as never }, (() => ({})) as never);
    expect(register).toThrow(new TypeError(`tool "forecast" output: ${text}`));
  });
});

describe('a header of a parameter is refused that is', () => {
  it.each<Row>([
    [
      'no text',
      { type: 'string', 'x-mcp-header': 5 },
      '"x-mcp-header" at properties.region is not a string: give the header\'s name, as in "Region"',
    ],
    [
      'no header name',
      { type: 'string', 'x-mcp-header': 'My Region' },
      '"x-mcp-header" at properties.region is not an HTTP header name: use 1 to 128 letters, digits and hyphens, as in "Region"',
    ],
    [
      'on an object',
      { type: 'object', 'x-mcp-header': 'Region' },
      '"x-mcp-header" at properties.region is on a parameter of a type that is not string, integer or boolean: remove it or change the type',
    ],
    [
      'on no parameter',
      { type: 'array', items: { type: 'string', 'x-mcp-header': 'Region' } },
      '"x-mcp-header" at properties.region.items is not on a parameter: only "properties" may lead to it, so move it there or remove it',
    ],
  ])('%s', (_title, region, text) => {
    const input = ofObject({ region: region as object });
    const register = () => createServer(info).tool('forecast', { input }, () => 'x');
    expect(register).toThrow(new TypeError(`Tool "forecast": ${text}`));
  });
});

it('rejects the arguments of a prompt and the form of an elicitation with the same words', async () => {
  expect(() => createServer(info).prompt('greet', { args: (() => 0) as never }, () => 'x')).toThrow(
    `prompt "greet" args: ${notOne} a function; call it, if it makes a schema`,
  );
});

it('awaits a schema that checks asynchronously, at any depth', async () => {
  const taken = z.object({ name: z.string().refine(async (name) => name !== 'taken') });
  const server = createServer(info).tool('book', { input: taken, output: taken }, (input) => input);
  await expect(server.compileSchemas()).resolves.toBe(server);
});
