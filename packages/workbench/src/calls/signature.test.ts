import { describe, expect, it, vi } from 'vitest';
import { declarationsOf, TypeNames } from './declarations.js';
import { typeOf } from './schema-type.js';
import { type Signature, signatureOf } from './signature.js';

const tree = {
  $defs: {
    node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } } },
  },
  $ref: '#/$defs/node',
};

describe('typeOf', () => {
  it.each<[string, unknown, string]>([
    ['a string', { type: 'string' }, 'string'],
    ['an integer with a range', { type: 'integer', minimum: 1, maximum: 9 }, 'number /* integer, 1 to 9 */'],
    [
      'a format and a default',
      { type: 'string', format: 'date', default: '*/' },
      'string /* date, default "*\\/" */',
    ],
    ['an enum', { enum: ['a', 1, null, { b: [true] }] }, '"a" | 1 | null | { b: [true] }'],
    [
      'titled constants',
      { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
      '"a" | "b"',
    ],
    ['several types', { type: ['string', 'null'] }, 'string | null'],
    ['nullable', { type: 'number', nullable: true }, 'number | null'],
    ['a list of a union', { type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [
      'a tuple with optional elements',
      { prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1, items: false },
      '[number, string?]',
    ],
    ['a record', { type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    ['an empty object', { type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [
      'names that need quotes',
      { properties: { 'a-b': { type: 'string' }, class: {} }, required: ['class'] },
      '{ "a-b"?: string; class: unknown }',
    ],
    [
      'an intersection',
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      '{ a?: unknown } & { b?: unknown }',
    ],
    ['a cycle', tree, '{ next?: unknown; name?: string }'],
    ['a reference to another document', { $ref: 'https://a.example/b' }, 'unknown /* https://a.example/b */'],
    ['true and false', { properties: { yes: true, no: false } }, '{ yes?: unknown; no?: never }'],
  ])('prints %s', (_, schema, text) => {
    expect(typeOf(schema)).toBe(text);
  });

  it('stops at deep and at wide schemas', () => {
    let deep: unknown = { type: 'string' };
    for (let level = 0; level < 1_000; level += 1) deep = { type: 'array', items: deep };
    expect(typeOf(deep)).toContain('unknown');
    const twice = (name: string) => ({
      properties: { a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } },
    });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (__, index) => [`n${index}`, twice(`n${index + 1}`)]),
    );
    expect(typeOf({ $defs, $ref: '#/$defs/n0' }).length).toBeLessThan(400_000);
  });

  it('prints each property with its comment on a line in the layout of blocks', () => {
    const schema = {
      properties: { a: { type: 'string', description: 'The */ first' }, b: {} },
      required: ['a'],
    };
    expect(typeOf(schema, { layout: 'block' })).toBe(
      '{\n  /** The *\\/ first */\n  a: string;\n  b?: unknown;\n}',
    );
  });
});

describe('declarationsOf', () => {
  it('declares a type for each reference, so that cycles are complete', () => {
    expect(declarationsOf('Tree', tree)).toBe(
      'export type Tree = {\n  next?: Node;\n  name?: string;\n};\n\nexport type Node = {\n  next?: Node;\n  name?: string;\n};',
    );
  });
});

const search = {
  name: 'search-issues',
  description: `Finds issues. ${'Words '.repeat(60)}\n\nMore.`,
  inputSchema: {
    type: 'object',
    properties: {
      limit: { type: 'integer', default: 10 },
      query: { type: 'string', description: 'The text' },
      ...Object.fromEntries(['c', 'd', 'e', 'f', 'g'].map((name) => [name, { type: 'string' }])),
    },
    required: ['query'],
  },
};

describe('signatureOf', () => {
  it('folds optional parameters and long descriptions', () => {
    const text = signatureText(signatureOf(search, { width: 80 }));
    expect(text.split('\n')).toEqual([
      '/**',
      expect.stringMatching(/^ \* Finds issues\./),
      expect.any(String),
      expect.stringMatching(/ \.\.\.$/),
      ' */',
      'search-issues(',
      '  query: string,',
      '  limit?: number /* integer, default 10 */,',
      '  c?: string,',
      '  d?: string,',
      '  e?: string,',
      '  /* ...2 more */',
      ')',
    ]);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('prints all parameters with descriptions', () => {
    const text = signatureText(signatureOf(search, { all: true }));
    expect(text).toContain(' * @param query - The text');
    expect(text).toContain('g?: string');
    expect(text).not.toContain('more */');
  });

  it('prints one parameter when a name is reserved or the input has variants', () => {
    const properties = { in: { type: 'string' } };
    expect(signatureOf({ name: 'a', inputSchema: { properties } }).parameters).toBe(
      '(args: { in?: string })',
    );
    const variants = { type: 'object', properties: { a: {} }, anyOf: [{ required: ['a'] }] };
    expect(signatureOf({ name: 'a', inputSchema: variants }).parameters).toMatch(/^\(args: /);
  });

  it('prints the output and tools without arguments', () => {
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
    const tool = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, outputSchema };
    expect(signatureText(signatureOf(tool))).toBe('/** Adds. */\nadd(): { sum: number }');
  });
});

describe('TypeNames', () => {
  it('gives each name once, with a number where names of the server differ only by other characters', () => {
    const names = new TypeNames(['Tools']);
    const given = ['get-user', 'get_user', 'get user', 'tools', 'get.user'].map((text) =>
      names.nameFor(text, ''),
    );
    expect(given).toEqual(['GetUser', 'GetUser2', 'GetUser3', 'Tools2', 'GetUser4']);
    expect(names.nameFor('get.user', 'Input')).toBe('GetUserInput');
  });

  it('looks for a free name in a number of steps that grows with the number of names', () => {
    const names = new TypeNames([]);
    const look = vi.spyOn(names.taken, 'has');
    for (let count = 0; count < 1_000; count++) names.nameFor('x'.padEnd(1 + count, '-'), 'Input');
    expect(look.mock.calls.length).toBeLessThan(3_000);
  });
});

/** Returns a signature as text, with the doc comment above. */
function signatureText({ comment, name, parameters, result }: Signature): string {
  return [...comment, `${name}${parameters}${result === undefined ? '' : `: ${result}`}`].join('\n');
}
