import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import type { UnknownObject } from '../json-rpc/json.js';
import type { SchemaObject } from '../model/tools.js';
import type { Headed } from './mirrored-headers.js';
import {
  findParamHeaders,
  type ParamHeader,
  paramHeaderProblem,
  paramHeaderValues,
} from './param-headers.js';

const headed = (values: Readonly<Record<string, string>>): Headed => ({ header: (name) => values[name] });

const region = { type: 'string', 'x-mcp-header': 'Region' };

function inputOf(properties: object, more: object = {}): SchemaObject {
  return { type: 'object', properties, ...more };
}

describe('x-mcp-header annotations that hold', () => {
  it.each<[string, SchemaObject, object[], ...string[]]>([
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
      '2026-07-28/basic/transports/streamable-http/mark-primitive',
    ],
    [
      'nested by properties alone',
      inputOf({ where: { type: 'object', properties: { region } } }),
      [{ header: 'mcp-param-region', path: ['where', 'region'], type: 'string' }],
      '2026-07-28/basic/transports/streamable-http/mark-reachable',
    ],
    [
      'every token character',
      inputOf({ a: { type: 'string', 'x-mcp-header': "!#$%&'*+-.^_`|~0aZ" } }),
      [{ header: "mcp-param-!#$%&'*+-.^_`|~0az", path: ['a'], type: 'string' }],
      '2026-07-28/basic/transports/streamable-http/mark-token',
    ],
    ['a parameter of that name', inputOf({ 'x-mcp-header': { type: 'string' } }), []],
    ['data that looks like one', inputOf({ a: { type: 'object', default: region, enum: [region] } }), []],
    [
      'a parameter called __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string","x-mcp-header":"P"}}}'),
      [{ header: 'mcp-param-p', path: ['__proto__'], type: 'string' }],
    ],
  ])('%s', (...[, schema, headers, ...ids]) => {
    shows(...ids);
    expect(findParamHeaders(schema)).toEqual({ ok: true, headers });
  });
});

describe('x-mcp-header annotations that make the definition invalid', () => {
  const named = (name: unknown): SchemaObject => inputOf({ a: { type: 'string', 'x-mcp-header': name } });
  it.each<[string, SchemaObject, RegExp, ...string[]]>([
    [
      'empty',
      named(''),
      /properties\.a is not an HTTP header name/,
      '2026-07-28/basic/transports/streamable-http/mark-not-empty',
      'draft-tools/tools/header-not-empty',
    ],
    [
      'a space',
      named('My Region'),
      /is not an HTTP header name/,
      '2026-07-28/basic/transports/streamable-http/mark-token',
    ],
    [
      'a line feed',
      named('Region\n'),
      /is not an HTTP header name/,
      '2026-07-28/basic/transports/streamable-http/mark-no-control',
    ],
    [
      'CR LF',
      named('R\r\nX-Evil: 1'),
      /is not an HTTP header name/,
      '2026-07-28/basic/transports/streamable-http/mark-no-control',
    ],
    [
      'a colon',
      named('Region:'),
      /is not an HTTP header name/,
      '2026-07-28/basic/transports/streamable-http/mark-token',
      'draft-tools/tools/header-ascii',
    ],
    [
      'a letter outside ASCII',
      named('Région'),
      /is not an HTTP header name/,
      'draft-tools/tools/header-ascii',
    ],
    ['too long', named('a'.repeat(129)), /is not an HTTP header name/],
    ['no string', named(5), /is not a string/],
    ['null', named(null), /is not a string/],
    [
      'the same name in another case',
      inputOf({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } }),
      /repeats the name "REGION"/,
      '2026-07-28/basic/transports/streamable-http/mark-unique',
      'draft-tools/tools/header-unique',
    ],
    [
      'number',
      inputOf({ a: { type: 'number', 'x-mcp-header': 'A' } }),
      /not string, integer or boolean/,
      '2026-07-28/basic/transports/streamable-http/mark-primitive',
    ],
    [
      'object',
      inputOf({ a: { type: 'object', 'x-mcp-header': 'A' } }),
      /not string, integer or boolean/,
      '2026-07-28/basic/transports/streamable-http/mark-primitive',
      'draft-tools/tools/header-primitive',
    ],
    [
      'array',
      inputOf({ a: { type: 'array', 'x-mcp-header': 'A' } }),
      /not string, integer or boolean/,
      'draft-tools/tools/header-primitive',
    ],
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
      '2026-07-28/basic/transports/streamable-http/mark-not-through',
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
    [
      'anyOf',
      inputOf({}, { anyOf: [inputOf({ region })] }),
      /not on a parameter/,
      '2026-07-28/basic/transports/streamable-http/mark-not-through',
    ],
    ['allOf', inputOf({}, { allOf: [inputOf({ region })] }), /not on a parameter/],
    ['not', inputOf({ a: { not: region } }), /not on a parameter/],
    ['if', inputOf({}, { if: inputOf({ region }) }), /not on a parameter/],
    ['then', inputOf({}, Object.fromEntries([['then', inputOf({ region })]])), /not on a parameter/],
    ['else', inputOf({}, { else: inputOf({ region }) }), /not on a parameter/],
    [
      'behind $ref',
      inputOf({ a: { $ref: '#/$defs/r' } }, { $defs: { r: region } }),
      /not on a parameter/,
      '2026-07-28/basic/transports/streamable-http/mark-not-through',
    ],
  ])('%s', (...[, schema, problem, ...ids]) => {
    shows(...ids);
    const found = findParamHeaders(schema);
    expect(found.ok ? 'no problem' : found.problem).toMatch(problem);
  });
});

describe('schemas of a hostile peer', () => {
  it('stops at a depth', () => {
    let schema: SchemaObject = region;
    for (let level = 0; level < 5_000; level++) schema = { properties: { a: schema } };
    expect(findParamHeaders(schema)).toEqual({ ok: false, problem: 'the schema nests too deeply' });
  });

  it('stops at a number', () => {
    let schema: SchemaObject = {};
    for (let level = 0; level < 30; level++) schema = { anyOf: [schema, schema, schema] };
    expect(findParamHeaders(schema)).toEqual({ ok: false, problem: 'the schema holds too many schemas' });
  });

  it('survives keywords of any shape', () => {
    const odd = { properties: 5, items: null, allOf: {}, $defs: [], anyOf: [null, 3, []], not: 'x' };
    expect(findParamHeaders(odd)).toEqual({ ok: true, headers: [] });
  });
});

describe('the headers of a call', () => {
  const headers: ParamHeader[] = [
    { header: 'mcp-param-region', path: ['region'], type: 'string' },
    { header: 'mcp-param-n', path: ['where', 'n'], type: 'integer' },
    { header: 'mcp-param-dry', path: ['dry'], type: 'boolean' },
  ];
  const args = { region: 'é', where: { n: -7 }, dry: false };

  it('repeat what is there', () => {
    shows(
      '2026-07-28/basic/transports/streamable-http/value-at-path',
      '2026-07-28/basic/transports/streamable-http/values-as-text',
    );
    expect(paramHeaderValues(headers, args)).toEqual({
      'mcp-param-region': '=?base64?w6k=?=',
      'mcp-param-n': '-7',
      'mcp-param-dry': 'false',
    });
  });

  it.each<[string, UnknownObject | undefined, ...string[]]>([
    ['no arguments', undefined],
    ['none of them', {}, '2026-07-28/basic/transports/streamable-http/value-absent-client'],
    [
      'null',
      { region: null, where: null, dry: null },
      '2026-07-28/basic/transports/streamable-http/value-null-client',
    ],
    ['undefined', { region: undefined }],
    ['objects and lists', { region: {}, where: { n: [1] }, dry: [] }],
    ['a path that ends early', { where: 5 }, '2026-07-28/basic/transports/streamable-http/value-at-path'],
    ['a path through a list', { where: [{ n: 1 }] }],
    ['inherited members', Object.create({ region: 'x', dry: true })],
  ])('leave out %s', (_title, given, ...ids) => {
    shows(...ids);
    expect(paramHeaderValues(headers, given)).toEqual({});
    expect(paramHeaderProblem(headers, given, headed({}))).toBeUndefined();
  });

  it('are empty for an empty text', () => {
    expect(paramHeaderValues(headers, { region: '' })).toEqual({ 'mcp-param-region': '' });
    expect(paramHeaderProblem(headers, { region: '' }, headed({ 'mcp-param-region': '' }))).toBeUndefined();
  });

  it('are found right where they were written by these rules', () => {
    shows('2026-07-28/basic/transports/streamable-http/values-encoded');
    expect(paramHeaderProblem(headers, args, headed(paramHeaderValues(headers, args)))).toBeUndefined();
  });

  const one = (value: unknown, stated: string | undefined) =>
    paramHeaderProblem(
      [{ header: 'mcp-param-a', path: ['a'], type: 'integer' }],
      { a: value },
      headed(stated === undefined ? {} : { 'mcp-param-a': stated }),
    );

  it.each<[unknown, string, ...string[]]>([
    [42, '42'],
    [42, '42.0', '2026-07-28/basic/transports/streamable-http/integers-numerically'],
    [42, '4.2e1'],
    [42, '=?base64?NDI=?='],
    [-7, '-7.00'],
    [0, '-0'],
    [true, 'true'],
    ['42', '42'],
    ['a b', 'a b'],
    ['Hello', '=?base64?SGVsbG8=?=', '2026-07-28/basic/transports/streamable-http/decoded-before-comparing'],
  ])('%j is repeated by %j', (value, stated, ...ids) => {
    shows(...ids);
    expect(one(value, stated)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [42, '43'],
    [42, '0x2a'],
    [42, ' 42'],
    [42, '+42'],
    [42, '42abc'],
    [0, ''],
    [42, '42, 42'],
    [1, 'true'],
    [true, 'True'],
    [true, '1'],
    ['42', '42.0'],
    ['a', 'A'],
    ['a', ''],
    ['Hello', '=?base64?SGVsbG8?='],
    ['=?base64?SGVsbG8=?=', '=?base64?SGVsbG8=?='],
    ['é', 'é'],
  ])('%j is not repeated by %j', (value, stated) => {
    expect(one(value, stated)).toMatch(/mcp-param-a.*arguments\.a differ/);
  });

  it('must be there where the value is, and not where it is not', () => {
    expect(one('x', undefined)).toMatch(/mcp-param-a is required/);
    expect(one(null, 'x')).toMatch(/is there, but arguments\.a is not/);
    expect(one(undefined, '')).toMatch(/is there, but/);
  });
});
