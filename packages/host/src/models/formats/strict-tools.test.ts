import type { SchemaObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { simple, toolOf, type Written, when, write } from '../../../test/written-tool.js';
import type { ModelTool } from '../model-tool.js';
import { modelTools } from './tool-definitions.js';

describe('strict mode of OpenAI', () => {
  const strict = (property: SchemaObject, required = true): Written =>
    write(
      { type: 'object', properties: { value: property }, ...(required && { required: ['value'] }) },
      { for: 'openai', strict: true },
    );
  const propertyOf = ({ schema }: Written): unknown =>
    (schema.properties as { readonly value: unknown }).value;

  it('closes every object and makes optional members accept null', () => {
    const {
      schema,
      strict: isStrict,
      losses,
    } = write(
      {
        type: 'object',
        properties: {
          filter: {
            type: 'object',
            properties: { kind: { enum: ['a', 'b'] }, only: { const: 1 }, at: { type: ['string', 'null'] } },
          },
          tags: {
            type: 'array',
            items: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
          },
        },
      },
      { for: 'openai', strict: true },
    );
    expect(isStrict).toBe(true);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        filter: {
          type: ['object', 'null'],
          properties: {
            kind: { type: ['string', 'null'], enum: ['a', 'b', null] },
            only: { type: ['integer', 'null'], enum: [1, null] },
            at: { type: ['string', 'null'] },
          },
          required: ['kind', 'only', 'at'],
          additionalProperties: false,
        },
        tags: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            properties: { id: { type: 'string' } },
            required: ['id'],
            additionalProperties: false,
          },
        },
      },
      required: ['filter', 'tags'],
      additionalProperties: false,
    });
    expect(losses).toEqual([]);
  });

  it('states what it cannot enforce in the description', () => {
    const written = strict({
      type: 'string',
      description: 'An address.',
      minLength: 3,
      maxLength: 9,
      format: 'uri',
      pattern: '^(?!x)',
      default: 'abc',
      examples: ['def'],
    });
    expect(propertyOf(written)).toEqual({
      type: 'string',
      description:
        'An address.\nConstraints: format uri, pattern ^(?!x), minLength 3, maxLength 9.\nDefault: abc.\nExamples: ["def"].',
    });
    expect(written.losses).toEqual(
      ['format', 'pattern', 'minLength', 'maxLength'].map((keyword) => `/properties/value:${keyword}`),
    );
  });

  it('keeps the constraints that it enforces', () => {
    const number = { type: 'number', minimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 };
    expect(propertyOf(strict(number))).toEqual(number);
    const list = {
      type: 'array',
      minItems: 2,
      maxItems: 3,
      items: { type: 'string', pattern: '^a+$', format: 'date' },
    };
    expect(propertyOf(strict(list))).toEqual(list);
  });

  it('writes unions as anyOf without anything beside it', () => {
    expect(
      propertyOf(strict({ type: ['string', 'integer'], maxLength: 2, minimum: 3, description: 'Either.' })),
    ).toEqual({
      description: 'Either.',
      anyOf: [
        { type: 'string', description: 'Constraints: maxLength 2.' },
        { type: 'integer', minimum: 3 },
      ],
    });
    expect(propertyOf(strict({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, false))).toEqual({
      anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }],
    });
    expect(propertyOf(strict({ type: 'number', anyOf: [{ maximum: 1 }, { minimum: 9 }] }))).toEqual({
      anyOf: [
        { maximum: 1, type: 'number' },
        { minimum: 9, type: 'number' },
      ],
    });
  });

  it('writes tuples as lists of the same length', () => {
    const written = strict({ type: 'array', items: [{ type: 'number', title: 'x' }, { type: 'string' }] });
    expect(propertyOf(written)).toEqual({
      type: 'array',
      items: { anyOf: [{ type: 'number', title: 'x' }, { type: 'string' }] },
      minItems: 2,
      maxItems: 2,
      description: 'The items in their order: 1: x, 2: string.',
    });
    expect(
      propertyOf(
        strict({ type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false }),
      ),
    ).toMatchObject({
      minItems: 2,
      maxItems: 2,
    });
  });

  it('lets the model send members that a condition adds', () => {
    const { schema, losses } = write(
      {
        type: 'object',
        properties: { mode: { enum: ['a', 'b'] } },
        required: ['mode'],
        if: { properties: { mode: { const: 'a' } } },
        ...when({ properties: { size: { type: 'integer' } }, required: ['size'] }),
      },
      { for: 'openai', strict: true },
    );
    expect(schema.properties).toMatchObject({ size: { type: ['integer', 'null'] } });
    expect(losses).toEqual([':if']);
  });

  it('keeps recursion', () => {
    const { schema, strict: isStrict } = write(
      {
        type: 'object',
        properties: { child: { $ref: '#' }, name: { type: 'string' } },
        required: ['name'],
        additionalProperties: false,
      },
      { for: 'openai', strict: true },
    );
    expect(isStrict).toBe(true);
    expect(schema.$defs).toMatchObject({
      root: { required: ['child', 'name'], additionalProperties: false },
    });
  });

  it.each<[string, SchemaObject]>([
    ['an object with any members', { type: 'object' }],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }],
    [
      'names by a pattern',
      { type: 'object', patternProperties: { '^x-': {} }, properties: { a: { type: 'string' } } },
    ],
    ['any value', { description: 'Anything.' }],
    ['a list of anything', { type: 'array' }],
    [
      'more than ten levels',
      Array.from({ length: 12 }).reduce<SchemaObject>(
        (inner) => ({ type: 'object', properties: { a: inner } }),
        { type: 'string' },
      ),
    ],
    [
      'more than 1,000 values',
      {
        type: 'object',
        properties: {
          a: { enum: Array.from({ length: 600 }, (_, n) => n) },
          b: { enum: Array.from({ length: 600 }, (_, n) => n) },
        },
      },
    ],
  ])('is not used for a tool with %s, which the model could not send', (_, property) => {
    const written = strict(property);
    const loose = write(
      { type: 'object', properties: { value: property }, required: ['value'] },
      { for: 'openai' },
    );
    expect(written.strict).toBe(false);
    expect(written.schema).toEqual(loose.schema);
    expect(written.losses.at(-1)).toMatch(/:strict$/);
  });
});

describe('strict mode of Anthropic', () => {
  it('keeps optional members and drops sizes', () => {
    const { schema, strict } = write(
      {
        type: 'object',
        properties: {
          a: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2 },
          b: { type: 'string', format: 'uri' },
        },
        required: ['a'],
      },
      { for: 'anthropic', strict: true },
    );
    expect(strict).toBe(true);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: {
          type: 'array',
          items: { type: 'string', description: 'Constraints: minLength 1.' },
          description: 'Constraints: minItems 2.',
        },
        b: { type: 'string', format: 'uri' },
      },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it('is used for as many tools as one request may have', () => {
    const tools = Array.from({ length: 30 }, (_, at): ModelTool => ({ ...toolOf(simple), name: `t${at}` }));
    const plain = { ...simple, required: ['path', 'lines'] };
    const without = tools.map((one) => ({ ...one, tool: { ...one.tool, inputSchema: plain } }));
    const strictOf = (list: readonly ModelTool[]): number =>
      modelTools(list, { for: 'anthropic', strict: true }).tools.filter(({ strict }) => strict).length;
    expect(strictOf(without)).toBe(20);
    const optional = (count: number): ModelTool => ({
      ...toolOf({
        type: 'object',
        properties: Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`m${at}`, { type: 'string' }]),
        ),
      }),
      name: `o${count}`,
    });
    expect(strictOf([optional(20), optional(5), optional(4)])).toBe(2);
    const { report } = modelTools(without, { for: 'anthropic', strict: true });
    expect(report.map(({ tool }) => tool)).toEqual(without.slice(20).map(({ name }) => name));
  });
});
