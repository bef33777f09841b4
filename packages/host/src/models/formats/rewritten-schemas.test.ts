import type { SchemaObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { toolOf, write } from '../../../test/written-tool.js';
import { modelFormats } from './model-format.js';
import { modelTools } from './tool-definitions.js';

describe('unions at the root', () => {
  const either: SchemaObject = {
    type: 'object',
    properties: { project: { type: 'string' }, title: { type: 'string' }, body: { type: 'string' } },
    required: ['project'],
    anyOf: [{ required: ['title'] }, { required: ['body'] }],
  };

  it.each(modelFormats)('become one object with a sentence in the description for %s', (format) => {
    const { schema, description, losses } = write(either, { for: format });
    expect(schema).toEqual({ type: 'object', properties: either.properties, required: ['project'] });
    expect(description).toBe(
      'Does something.\n\nAt least one of these groups of members is required: (title) or (body).',
    );
    expect(losses).toEqual([':anyOf']);
  });

  it.each(modelFormats)('keep all members of all branches for %s', (format) => {
    const { schema, description } = write(
      {
        type: 'object',
        oneOf: [
          {
            type: 'object',
            properties: { kind: { const: 'file' }, path: { type: 'string' } },
            required: ['kind', 'path'],
            additionalProperties: false,
          },
          {
            properties: { kind: { const: 'url' }, url: { type: 'string' }, path: { type: 'integer' } },
            required: ['kind', 'url'],
            additionalProperties: false,
          },
          { type: 'string' },
        ],
      },
      { for: format },
    );
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        kind: { enum: ['file', 'url'] },
        path: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        url: { type: 'string' },
      },
      required: ['kind'],
      additionalProperties: false,
    });
    expect(description).toContain(
      'Exactly one of these groups of members is required: (kind = "file", path) or (kind = "url", url).',
    );
  });

  it('join allOf, also through references', () => {
    const { schema, losses } = write(
      {
        type: 'object',
        allOf: [{ $ref: '#/$defs/page' }, { properties: { size: { maximum: 50 } }, required: ['query'] }],
        properties: { query: { type: 'string' } },
        $defs: {
          page: {
            type: 'object',
            properties: { size: { type: 'integer', maximum: 100 } },
            required: ['size'],
          },
        },
      },
      { for: 'anthropic' },
    );
    expect(schema).toEqual({
      type: 'object',
      properties: { query: { type: 'string' }, size: { type: 'integer', maximum: 50 } },
      required: ['size', 'query'],
    });
    expect(losses).toEqual([]);
  });

  it.each(modelFormats)('are gone, with other keywords that are rejected there, for %s', (format) => {
    const { schema } = write(
      { type: 'object', properties: { a: {} }, not: { required: ['b'] }, enum: [{ a: 1 }], const: { a: 1 } },
      { for: format },
    );
    for (const keyword of ['not', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'])
      expect(schema).not.toHaveProperty(keyword);
  });
});

describe('references', () => {
  const tree: SchemaObject = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node', description: 'The top.' } },
    $defs: {
      node: {
        type: 'object',
        description: 'A node.',
        properties: {
          name: { $ref: '#/$defs/name' },
          children: { type: 'array', items: { $ref: '#/$defs/node' } },
        },
        required: ['name'],
      },
      name: { type: 'string' },
      unused: { type: 'boolean' },
    },
  };

  it('are replaced by their targets', () => {
    const { schema } = write(
      {
        type: 'object',
        properties: { a: { $ref: '#/definitions/x' }, b: { $ref: '#/properties/a' }, c: { $ref: '#anchor' } },
        definitions: { x: { type: 'string' }, y: { $anchor: 'anchor', type: 'number' } },
      },
      { for: 'openai' },
    );
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'number' } },
    });
  });

  it('stay where a schema contains itself and the format allows that', () => {
    const { schema, losses } = write(tree, { for: 'anthropic' });
    const node = {
      type: 'object',
      description: 'A node.',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['name'],
    };
    expect(schema).toEqual({
      type: 'object',
      properties: { root: { ...node, description: 'The top.' } },
      $defs: { node },
    });
    expect(losses).toEqual([]);
  });

  it('are cut where the format does not allow recursion, with a loss', () => {
    const { schema, losses } = write(tree, { for: 'gemini' });
    expect(schema).toMatchObject({
      properties: {
        root: {
          properties: {
            children: { items: { type: 'object', description: 'Has the same form as a value around it.' } },
          },
        },
      },
    });
    expect(schema).not.toHaveProperty('$defs');
    expect(losses).toEqual(['/properties/root/properties/children/items:$ref']);
  });

  it('to nothing, or to another document, are free-form values with a loss', () => {
    const { schema, losses } = write(
      {
        type: 'object',
        properties: {
          a: { $ref: '#/$defs/none' },
          b: { $ref: 'https://example.com/b.json', type: 'string' },
        },
      },
      { for: 'anthropic' },
    );
    expect(schema).toEqual({ type: 'object', properties: { a: {}, b: { type: 'string' } } });
    expect(losses).toEqual(['/properties/a:$ref', '/properties/b:$ref']);
  });

  it('to the root itself do not end in a loop', () => {
    for (const format of modelFormats) {
      const { schema } = write(
        { type: 'object', properties: { inner: { $ref: '#' } }, $ref: '#' },
        { for: format },
      );
      expect(JSON.stringify(schema).length).toBeLessThan(1_000);
    }
  });

  it('that double at each level stay references, or leave an object with any members', () => {
    const levels = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `l${at}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/l${at + 1}` }, b: { $ref: `#/$defs/l${at + 1}` } },
        },
      ]),
    );
    const schema = {
      type: 'object',
      properties: { top: { $ref: '#/$defs/l0' } },
      $defs: { ...levels, l30: {} },
    };
    const kept = write(schema, { for: 'anthropic' });
    expect(kept.schema.properties).toEqual({ top: { $ref: '#/$defs/l0' } });
    expect(Object.keys(kept.schema.$defs as object)).toHaveLength(31);
    const cut = modelTools([toolOf(schema)], { for: 'gemini' });
    expect(cut.tools).toEqual([
      { functionDeclarations: [{ name: 'files__read', description: 'Does something.' }] },
    ]);
    expect(cut.report[0]?.what).toBe(
      'The schema has more than 10000 parts. The model sees an object with any members.',
    );
  });
});

describe('Gemini', () => {
  const property = (schema: SchemaObject): unknown =>
    (
      write({ type: 'object', properties: { value: schema } }, { for: 'gemini' }).schema.properties as {
        readonly value: unknown;
      }
    ).value;

  it('has no const, and no enum of booleans', () => {
    expect(property({ const: 'a' })).toEqual({ type: 'string', enum: ['a'] });
    expect(property({ const: true, description: 'On.' })).toEqual({
      type: 'boolean',
      description: 'On.\nOne of true.',
    });
    expect(property({ enum: ['a', null] })).toEqual({
      anyOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }],
    });
    expect(property({ enum: ['a', 1] })).toEqual({
      anyOf: [
        { type: 'string', enum: ['a'] },
        { type: 'integer', enum: [1] },
      ],
    });
  });

  it('keeps maps, tuples, bounds and free-form values', () => {
    for (const schema of [
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], minItems: 2 },
      { type: 'integer', minimum: 1, maximum: 2 },
      { type: ['string', 'null'], format: 'date-time' },
      {},
    ])
      expect(property(schema)).toEqual(schema);
  });

  it('has items for every list, and one type for every branch', () => {
    expect(property({ type: 'array' })).toEqual({ type: 'array', items: {} });
    expect(property({ type: ['array', 'string', 'null'], items: { type: 'string' } })).toEqual({
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }, { type: 'null' }],
    });
  });

  it('requires only members that exist', () => {
    const { schema } = write(
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      { for: 'gemini' },
    );
    expect(schema.required).toEqual(['a']);
  });
});
