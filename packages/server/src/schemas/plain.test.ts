import { beforeAll, describe, expect, it } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
import { interpreter } from '../interpreter.js';
import type { Outcome } from './issues.js';
import { type CompiledSchema, compileSchema, type Schema, type Validator } from './schema.js';

const owner = 'tool "forecast" input';
const draft7 = 'http://json-schema.org/draft-07/schema#';

/** Everything below holds for both. */
const validators: readonly [string, Validator | undefined][] = [
  ['compiled', undefined],
  ['interpreted', interpreter()],
];
let validator: Validator | undefined;

function input(schema: unknown): CompiledSchema {
  return compileSchema(schema as Schema, { owner, direction: 'input', validator });
}

function object(properties: object, more: object = {}): object {
  return { type: 'object', properties, ...more };
}

async function outcomeOf(schema: unknown, value: unknown): Promise<Outcome> {
  return input(schema).validate(value);
}

async function issuesOf(schema: unknown, value: unknown): Promise<string[]> {
  const outcome = await outcomeOf(schema, value);
  return outcome.ok ? [] : outcome.issues.map(({ path, message }) => `${path}: ${message}`);
}

describe.each(validators)('%s', (_name, chosen) => {
  beforeAll(() => {
    validator = chosen;
  });

  describe('listing', () => {
    it('shows the schema exactly as it was written, if it has no references', () => {
      const text = `{
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "type": "object",
      "$defs": {
        "address": { "$anchor": "addressDef", "type": "object", "properties": { "street": { "type": "string" } } }
      },
      "properties": {
        "name": { "type": "string" },
        "contactMethod": { "type": "string", "enum": ["phone", "email"] }
      },
      "allOf": [{ "anyOf": [{ "required": ["name"] }, { "required": ["address"] }] }],
      "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
      "then": { "required": ["name"] },
      "else": { "required": ["address"] },
      "additionalProperties": false,
      "x-own": { "$ref": "kept" }
    }`;
      const schema = JSON.parse(text);
      expect(JSON.stringify(input(schema).json)).toBe(JSON.stringify(JSON.parse(text)));
      expect(input(schema).json).toBe(schema);
    });
  });

  describe('validation', () => {
    it.each([
      ['a missing member', object({}, { required: ['city'] }), {}, ['city: is required']],
      ['a wrong type', object({ city: { type: 'string' } }), { city: 5 }, ['city: must be string']],
      ['a root of another kind', object({}), [], [': must be object']],
      [
        'two at once',
        object({ a: { type: 'string' }, b: { minimum: 3 } }),
        { a: 1, b: 2 },
        ['a: must be string', 'b: must be >= 3'],
      ],
      [
        'a place in an array',
        object({ a: object({ b: { type: 'array', items: object({ c: { type: 'string' } }) } }) }),
        { a: { b: [{ c: 'x' }, { c: 1 }] } },
        ['a.b[1].c: must be string'],
      ],
      [
        'odd keys',
        object({ 'a b': object({ '0': object({ 'x/y~z': { type: 'string' } }) }) }),
        { 'a b': { '0': { 'x/y~z': 1 } } },
        ['["a b"].0["x/y~z"]: must be string'],
      ],
      [
        'an unknown member',
        object({}, { additionalProperties: false }),
        { extra: 1 },
        ['extra: is not a known property'],
      ],
      [
        'several patterns',
        object(
          { a: { pattern: '^a' }, b: { pattern: '^b' } },
          { patternProperties: { '^c': { minimum: 3 } } },
        ),
        { a: 'b', b: 'b', c: 1 },
        ['a: must match pattern "^a"', 'c: must be >= 3'],
      ],
      [
        'multiples and members that are equal',
        object({ price: { multipleOf: 0.01 }, list: { uniqueItems: true }, odd: { multipleOf: 0.5 } }),
        { price: 19.99, list: [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }], odd: 0.7 },
        [
          'list: must NOT have duplicate items (items ## 0 and 2 are identical)',
          'odd: must be multiple of 0.5',
        ],
      ],
      [
        'integers that JSON.parse reads as others',
        object({
          id: { type: 'integer' },
          low: { type: ['integer', 'null'], minimum: -1e300 },
          list: { items: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
        }),
        JSON.parse(
          '{ "id": 9007199254740993, "low": -9007199254740993, "list": [1, "9007199254740993", 1e300] }',
        ),
        [
          'id: must be from -(2^53 - 1) to 2^53 - 1: larger integers are read as other numbers',
          'low: must be from -(2^53 - 1) to 2^53 - 1: larger integers are read as other numbers',
          'list[2]: must be from -(2^53 - 1) to 2^53 - 1: larger integers are read as other numbers',
          'list[2]: must be string',
          'list[2]: must match a schema in anyOf',
        ],
      ],
      [
        'numbers of any size, and integers to the last exact one',
        object({
          id: { type: 'integer' },
          number: { type: 'number' },
          either: { type: ['integer', 'number'] },
          any: {},
        }),
        JSON.parse(
          '{ "id": -9007199254740991, "number": 1e300, "either": 9007199254740993, "any": 9007199254740993 }',
        ),
        [],
      ],
      [
        'an enum',
        object({ unit: { enum: ['C', 'F'] }, k: { const: 1 } }),
        { unit: 'K', k: 2 },
        ['unit: must be one of "C", "F"', 'k: must be 1'],
      ],
    ])('%s', async (...[, schema, value, issues]) => {
      expect(await issuesOf(schema, value)).toEqual(issues);
    });

    it('passes a value on untouched, defaults and unknown formats aside', async () => {
      const schema = object({
        days: { type: 'integer', default: 3 },
        at: { type: 'string', format: 'made-up' },
        region: { type: 'string', 'x-mcp-header': 'Region' },
      });
      const value = Object.freeze({ at: 'x' });
      const outcome = await outcomeOf(schema, value);
      expect(outcome).toEqual({ ok: true, value: { at: 'x' } });
      expect(outcome.ok && outcome.value).toBe(value);
    });

    it('follows pointers, anchors and ids inside', async () => {
      if (chosen === undefined) shows('2026-07-28/basic/index/dialect-2020-12');
      const schema = object(
        {
          a: { $ref: '#/$defs/text' },
          b: { $ref: '#num' },
          c: { $ref: 'https://tenon.test/in' },
          d: { $ref: 'https://tenon.test/in#deep' },
          self: { $ref: '#' },
        },
        {
          $defs: {
            text: { type: 'string' },
            n: { $anchor: 'num', type: 'number' },
            i: {
              $id: 'https://tenon.test/in',
              type: 'boolean',
              $defs: { x: { $anchor: 'deep', type: 'null' } },
            },
          },
        },
      );
      expect(await issuesOf(schema, { a: 1, b: 'x', c: 1, d: 1, self: { a: 1 } })).toEqual([
        'a: must be string',
        'b: must be number',
        'c: must be boolean',
        'd: must be null',
        'self.a: must be string',
      ]);
    });

    it('keeps equal ids of two tools apart', async () => {
      const one = object({ a: { type: 'string' } }, { $id: 'https://tenon.test/tool' });
      const two = object({ a: { type: 'number' } }, { $id: 'https://tenon.test/tool' });
      expect(await issuesOf(one, { a: 1 })).toEqual(['a: must be string']);
      expect(await issuesOf(two, { a: 1 })).toEqual([]);
    });

    it('keeps an id inside one tool apart from the id of another', async () => {
      const $id = 'https://tenon.test/part';
      const inside = object({ a: { $ref: $id } }, { $defs: { part: { $id, type: 'string' } } });
      const atRoot = object({ a: { type: 'null' } }, { $id });
      expect(await issuesOf(inside, { a: 1 })).toEqual(['a: must be string']);
      expect(await issuesOf(atRoot, { a: 1 })).toEqual(['a: must be null']);
    });

    it('keeps to own members', async () => {
      const schema = object(
        { constructor: { type: 'string' }, toString: { type: 'string' } },
        { required: ['valueOf'], additionalProperties: false },
      );
      expect(await issuesOf(schema, {})).toEqual(['valueOf: is required']);
      const hostile = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"valueOf":1}',
      );
      expect(await issuesOf(schema, hostile)).toEqual([
        '__proto__: is not a known property',
        'valueOf: is not a known property',
        'constructor: must be string',
      ]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    });
  });

  describe('draft-07', () => {
    it.each([draft7, draft7.slice(0, -1)])('is read by %s', async ($schema) => {
      if (chosen === undefined)
        showsBy($schema, {
          'http://json-schema.org/draft-07/schema': '2026-07-28/basic/index/dialect-named',
          'http://json-schema.org/draft-07/schema#': [
            '2026-07-28/basic/index/dialect-followed',
            'draft-tools/tools/dialect-draft-07',
          ],
        });
      const schema = object(
        {
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
          ref: { $ref: '#/definitions/text', maxLength: 1 },
          named: { $ref: '#named' },
        },
        { $schema, definitions: { text: { type: 'string' }, n: { $id: '#named', type: 'number' } } },
      );
      expect(await issuesOf(schema, { pair: ['a', 'b'] })).toEqual(['pair[1]: must be number']);
      expect(await issuesOf(schema, { pair: ['a', 1], ref: 'long', named: 1 })).toEqual([]);
      expect(await issuesOf(schema, { named: 'x' })).toEqual(['named: must be number']);
      expect(input(schema).json).toBe(schema);
    });
  });

  describe('bounds', () => {
    it('returns at most ten issues', async () => {
      const schema = object({ list: { type: 'array', items: { type: 'string' } } });
      const issues = await issuesOf(schema, { list: Array(500).fill(1) });
      expect(issues).toHaveLength(10);
      expect(issues[9]).toBe('list[9]: must be string');
    });

    it('soon has enough of the issues of a large value', async () => {
      const schema = object({ list: { type: 'array', items: { type: 'string' } } });
      const issues = await issuesOf(schema, { list: Array(1_000_000).fill(1) });
      expect(issues[0]).toBe('list[0]: must be string');
      expect(issues.length).toBeLessThanOrEqual(10);
    });

    it('cuts names a peer made up', async () => {
      const outcome = await outcomeOf(object({}, { additionalProperties: false }), {
        ['k'.repeat(100_000)]: 1,
      });
      expect(outcome.ok ? '' : outcome.issues[0]?.path).toHaveLength(200);
    });

    it('answers a deeply nested value with an issue', async () => {
      const schema = object({ a: { $ref: '#' } });
      let value: object = {};
      for (let level = 0; level < 100_000; level++) value = { a: value };
      expect(await issuesOf(schema, value)).toEqual([': the value is nested too deeply']);
    });
  });

  describe('a schema that only the compiler finds broken', () => {
    const broken = object({ a: { minimum: 'three' } });

    it('rejects from prepare and from validate, naming the owner', async () => {
      if (chosen === undefined) shows('2026-07-28/basic/index/schema-valid');
      const reason =
        /^tool "forecast" input: the JSON Schema cannot be compiled \(.*minimum must be number.*correct/;
      await expect(input(broken).prepare()).rejects.toThrow(reason);
      const schema = input(broken);
      await expect(schema.validate({})).rejects.toThrow(TypeError);
      await expect(schema.validate({})).rejects.toThrow(reason);
    });
  });
});
