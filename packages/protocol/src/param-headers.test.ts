import { describe, expect, it } from 'vitest';
import type { SchemaObject } from './features/tools.js';
import { findParamHeaders } from './param-headers.js';

const region = { type: 'string', 'x-mcp-header': 'Region' };

function inputOf(properties: object, more: object = {}): SchemaObject {
  return { type: 'object', properties, ...more };
}

describe('x-mcp-header annotations that hold', () => {
  it.each<[string, SchemaObject, object[]]>([
    ['none', inputOf({ city: { type: 'string' } }), []],
    ['a string', inputOf({ region }), [{ header: 'mcp-param-region', path: ['region'], type: 'string' }]],
    [
      'an integer and a boolean',
      inputOf({
        n: { type: 'integer', 'x-mcp-header': 'N' },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      }),
      [
        { header: 'mcp-param-n', path: ['n'], type: 'integer' },
        { header: 'mcp-param-dry-run', path: ['dry'], type: 'boolean' },
      ],
    ],
    [
      'nested by properties alone',
      inputOf({ where: { type: 'object', properties: { region } } }),
      [{ header: 'mcp-param-region', path: ['where', 'region'], type: 'string' }],
    ],
    [
      'every token character',
      inputOf({ a: { type: 'string', 'x-mcp-header': "!#$%&'*+-.^_`|~0aZ" } }),
      [{ header: "mcp-param-!#$%&'*+-.^_`|~0az", path: ['a'], type: 'string' }],
    ],
    ['a parameter of that name', inputOf({ 'x-mcp-header': { type: 'string' } }), []],
    ['data that looks like one', inputOf({ a: { type: 'object', default: region, enum: [region] } }), []],
    [
      'a parameter called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","x-mcp-header":"P"}}}'),
      [{ header: 'mcp-param-p', path: ['__proto__'], type: 'string' }],
    ],
  ])('%s', (_title, schema, headers) => {
    expect(findParamHeaders(schema)).toEqual({ ok: true, headers });
  });
});

describe('x-mcp-header annotations that make the definition invalid', () => {
  const named = (name: unknown): SchemaObject => inputOf({ a: { type: 'string', 'x-mcp-header': name } });
  it.each<[string, SchemaObject, RegExp]>([
    ['empty', named(''), /properties\.a is no HTTP header name/],
    ['a space', named('My Region'), /no HTTP header name/],
    ['a line feed', named('Region\n'), /no HTTP header name/],
    ['CR LF', named('R\r\nX-Evil: 1'), /no HTTP header name/],
    ['a colon', named('Region:'), /no HTTP header name/],
    ['a letter outside ASCII', named('Région'), /no HTTP header name/],
    ['too long', named('a'.repeat(129)), /no HTTP header name/],
    ['no string', named(5), /is not a string/],
    ['null', named(null), /is not a string/],
    [
      'the same name in another case',
      inputOf({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } }),
      /repeats the name "REGION"/,
    ],
    ['number', inputOf({ a: { type: 'number', 'x-mcp-header': 'A' } }), /not string, integer or boolean/],
    ['object', inputOf({ a: { type: 'object', 'x-mcp-header': 'A' } }), /not string, integer or boolean/],
    ['array', inputOf({ a: { type: 'array', 'x-mcp-header': 'A' } }), /not string, integer or boolean/],
    ['null type', inputOf({ a: { type: 'null', 'x-mcp-header': 'A' } }), /not string, integer or boolean/],
    [
      'a list of types',
      inputOf({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } }),
      /not string, integer/,
    ],
    ['no type', inputOf({ a: { 'x-mcp-header': 'A' } }), /not string, integer or boolean/],
    ['the root', { ...inputOf({}), 'x-mcp-header': 'A' }, /at the root is not on a parameter/],
    [
      'items',
      inputOf({ list: { type: 'array', items: region } }),
      /properties\.list\.items is not on a parameter/,
    ],
    ['items of items', inputOf({ list: { items: { properties: { region } } } }), /not on a parameter/],
    ['prefixItems', inputOf({ list: { prefixItems: [region] } }), /not on a parameter/],
    ['draft-07 items', inputOf({ list: { items: [region] } }), /not on a parameter/],
    ['contains', inputOf({ list: { contains: region } }), /not on a parameter/],
    ['additionalProperties', inputOf({}, { additionalProperties: region }), /not on a parameter/],
    ['patternProperties', inputOf({}, { patternProperties: { '^r': region } }), /not on a parameter/],
    ['dependentSchemas', inputOf({}, { dependentSchemas: { a: inputOf({ region }) } }), /not on a parameter/],
    ['$defs', inputOf({}, { $defs: { region } }), /\$defs\.region is not on a parameter/],
    ['definitions', inputOf({}, { definitions: { region } }), /not on a parameter/],
    ['oneOf', inputOf({ a: { oneOf: [region] } }), /not on a parameter/],
    ['anyOf', inputOf({}, { anyOf: [inputOf({ region })] }), /not on a parameter/],
    ['allOf', inputOf({}, { allOf: [inputOf({ region })] }), /not on a parameter/],
    ['not', inputOf({ a: { not: region } }), /not on a parameter/],
    ['if', inputOf({}, { if: inputOf({ region }) }), /not on a parameter/],
    ['then', inputOf({}, Object.fromEntries([['then', inputOf({ region })]])), /not on a parameter/],
    ['else', inputOf({}, { else: inputOf({ region }) }), /not on a parameter/],
    ['behind $ref', inputOf({ a: { $ref: '#/$defs/r' } }, { $defs: { r: region } }), /not on a parameter/],
  ])('%s', (_title, schema, flaw) => {
    const found = findParamHeaders(schema);
    expect(found.ok ? 'no flaw' : found.flaw).toMatch(flaw);
  });
});

describe('schemas of a hostile peer', () => {
  it('stops at a depth', () => {
    let schema: SchemaObject = region;
    for (let level = 0; level < 5_000; level++) schema = { properties: { a: schema } };
    expect(findParamHeaders(schema)).toEqual({ ok: false, flaw: 'the schema nests too deeply' });
  });

  it('stops at a number', () => {
    let schema: SchemaObject = {};
    for (let level = 0; level < 30; level++) schema = { anyOf: [schema, schema, schema] };
    expect(findParamHeaders(schema)).toEqual({ ok: false, flaw: 'the schema holds too many schemas' });
  });

  it('survives keywords of any shape', () => {
    const odd = { properties: 5, items: null, allOf: {}, $defs: [], anyOf: [null, 3, []], not: 'x' };
    expect(findParamHeaders(odd)).toEqual({ ok: true, headers: [] });
  });
});
