import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { compileSchema, type Schema } from './schema.js';

function register(schema: unknown): void {
  compileSchema(schema as Schema, { owner: 'tool "forecast" input', direction: 'input' });
}

function object(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more };
}

function nested(levels: number): object {
  let schema: object = { type: 'object' };
  for (let level = 1; level < levels; level++) schema = object({ a: schema });
  return schema;
}

const circular: { type: string; properties: { [name: string]: unknown } } = {
  type: 'object',
  properties: {},
};
circular.properties.self = circular;

let wide: object = { type: 'string' };
for (let level = 0; level < 12; level++) wide = { anyOf: [wide, wide, wide] };

describe('registration refuses', () => {
  it.each([
    [
      'another dialect',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' },
      /"https:\/\/json-schema\.org\/draft\/2019-09\/schema" in "\$schema" is not supported; supported are .*2020-12\/schema" and .*draft-07/,
      '2025-11-25-server-features/tools/default-dialect',
      '2026-07-28/basic/index/dialect-unsupported',
    ],
    ['a dialect that is not a text', { $schema: 7, type: 'object' }, /dialect 7 .* not supported/],
    [
      'a root without a type',
      { properties: {} },
      /must say type: "object"; add it/,
      '2025-11-25-server-features/tools/input-schema',
      '2026-07-28/server/tools/input-schema-object',
    ],
    [
      'a root of another type',
      { type: 'string' },
      /must say type: "object"/,
      '2025-11-25-server-features/tools/input-schema',
      '2026-07-28/server/tools/input-schema-object',
    ],
    ['a root of several types', { type: ['object', 'null'] }, /must say type: "object"/],
    [
      'a remote reference',
      object({ a: { $ref: 'https://example.com/a.json' } }),
      /"\$ref" at properties\.a points outside the schema, to "https:\/\/example\.com\/a\.json"; nothing is fetched.*"#\/\$defs\/name"/,
      '2026-07-28/basic/index/ref-not-fetched',
      '2026-07-28/basic/index/ref-unresolved',
    ],
    ['a file reference', object({ a: { $ref: 'file:///etc/passwd' } }), /points outside/],
    ['a relative reference', object({ a: { $ref: 'other.json#/x' } }), /points outside/],
    [
      'a relative reference under an id',
      object({ a: { $ref: 'other' } }, { $id: 'https://x.test/tool' }),
      /points outside/,
    ],
    [
      'a remote dynamic reference',
      object({ a: { $dynamicRef: 'https://example.com/a#b' } }),
      /"\$dynamicRef" at properties\.a points outside/,
    ],
    [
      'a remote reference in $defs',
      object({}, { $defs: { a: { allOf: [{ $ref: '//x.test/a' }] } } }),
      /\$defs\.a\.allOf\.0 points outside/,
    ],
    [
      'a remote reference behind a pointer',
      object({ a: { $ref: '#/x-own/b' } }, { 'x-own': { b: { $ref: 'http://x.test' } } }),
      /points outside/,
    ],
    [
      'a dangling pointer',
      object({ a: { $ref: '#/$defs/none' } }),
      /"#\/\$defs\/none", which is not in the schema/,
    ],
    ['a pointer to a prototype', object({ a: { $ref: '#/constructor' } }), /which is not in the schema/],
    ['a dangling anchor', object({ a: { $ref: '#none' } }), /"#none", which is not in the schema/],
    [
      'a reference that is not a text',
      object({ a: { $ref: 5 } }),
      /"\$ref" at properties\.a must be a string/,
    ],
    ['depth', nested(66), /nests more than 64 levels deep/, '2026-07-28/basic/index/schema-bounds'],
    ['a schema that holds itself', circular, /or holds itself; use "\$defs" and "\$ref"/],
    [
      'too many schemas',
      object({ a: wide }),
      /more than 10000 schemas/,
      '2026-07-28/basic/index/schema-bounds',
    ],
    ['no schema where one belongs', object({ a: 'string' }), /properties\.a must be a schema/],
    [
      'null where a schema belongs',
      object({ a: { items: null } }),
      /properties\.a\.items must be a schema/,
      '2026-07-28/basic/index/schema-valid',
    ],
    [
      'an unknown type',
      object({ a: { type: 'strng' } }),
      /properties\.a\.type is "strng"; use one of string/,
      '2026-07-28/basic/index/schema-valid',
    ],
    [
      'a required flag',
      object({ a: { type: 'string', required: true } }),
      /properties\.a\.required must be a list of property names/,
    ],
    ['an empty union', object({ a: { anyOf: [] } }), /properties\.a\.anyOf must be a list with at least one/],
    ['an enum that is not a list', object({ a: { enum: 'x' } }), /properties\.a\.enum must be a list/],
    [
      'a broken pattern',
      object({ a: { pattern: '(' } }),
      /properties\.a\.pattern must be a regular expression/,
    ],
    [
      'a tuple in the wrong dialect',
      object({ a: { items: [{}] } }),
      /properties\.a\.items is a list, which 2020-12 writes as "prefixItems"/,
      '2025-11-25-server-features/tools/default-dialect',
      '2026-07-28/basic/index/dialect-default',
    ],
    ['an asynchronous validator', object({}, { $async: true }), /\$async is not JSON Schema; remove it/],
  ])('%s', (...[, schema, reason, ...ids]) => {
    shows(...ids);
    expect(() => register(schema)).toThrow(reason);
    expect(() => register(schema)).toThrow(TypeError);
    expect(() => register(schema)).toThrow(/^tool "forecast" input: /);
  });
});

describe('registration accepts', () => {
  it.each([
    [
      'a reference in data',
      object({ a: { default: { $ref: 'https://x.test' }, const: { $ref: 5 }, examples: [{ $ref: 1 }] } }),
    ],
    [
      'a parameter called $ref',
      object({ $ref: { type: 'string' }, $async: { type: 'string' }, required: { type: 'boolean' } }),
    ],
    ['true and false as schemas', object({ a: true, b: false }, { additionalProperties: false })],
    ['depth up to the limit', nested(65)],
    ['escaped pointers', object({ a: { $ref: '#/$defs/a~1b%20~0c' } }, { $defs: { 'a/b ~c': {} } })],
    ['pointers into lists', object({ a: { $ref: '#/allOf/0' } }, { allOf: [{}] })],
    ['the root', object({ a: { $ref: '#' } })],
    [
      'its own id',
      object({ a: { $ref: 'https://x.test/tool#/properties/b' }, b: {} }, { $id: 'https://x.test/tool' }),
    ],
    ['a dynamic anchor', object({ a: { $dynamicRef: '#node' } }, { $dynamicAnchor: 'node' })],
    [
      'a dependency list of draft-07',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', dependencies: { a: ['b'] } },
    ],
    ['a schema without a prototype', Object.assign(Object.create(null), { type: 'object' })],
  ])('%s', (_title, schema) => {
    expect(() => register(schema)).not.toThrow();
  });

  it('an output of any type, with or without one', () => {
    for (const schema of [{ type: 'string' }, { anyOf: [{ type: 'string' }] }, {}])
      expect(compileSchema(schema, { owner: 'tool "t" output', direction: 'output' }).json).toBe(schema);
  });
});
