import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { showsBy } from '../../../../tooling/suite/shows.js';
import {
  type CompiledSchema,
  compileSchema,
  describeIssues,
  type Outcome,
  type Schema,
  type StandardSchema,
} from './schema.js';

const owner = 'tool "forecast" input';

function input(schema: unknown): CompiledSchema {
  return compileSchema(schema as Schema, { owner, direction: 'input' });
}

/** A schema of no known library. */
function own(
  json: { [keyword: string]: unknown },
  validate: StandardSchema['~standard']['validate'] = (value) => ({ value }),
): StandardSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

const libraries: [string, Schema][] = [
  [
    'zod',
    z.object({ city: z.string(), days: z.number().default(3), stops: z.array(z.object({ at: z.string() })) }),
  ],
  [
    'valibot',
    toStandardJsonSchema(
      v.object({
        city: v.string(),
        days: v.optional(v.number(), 3),
        stops: v.array(v.object({ at: v.string() })),
      }),
    ),
  ],
  ['arktype', type({ city: 'string', days: 'number = 3', stops: type({ at: 'string' }).array() })],
];

describe.each(libraries)('%s', (name, schema) => {
  it('is listed as JSON Schema of 2020-12, with defaults optional in the input', () => {
    showsBy(name, { zod: '2026-07-28/basic/index/dialect-recommended' });
    const { json } = input(schema);
    expect(json).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'number' },
        stops: { type: 'array', items: { type: 'object', properties: { at: { type: 'string' } } } },
      },
    });
    expect([...(json.required as string[])].sort()).toEqual(['city', 'stops']);
    expect(json).not.toHaveProperty('$schema');
  });

  it('fills in defaults', () => {
    const value = { city: 'Oslo', stops: [] };
    expect(input(schema).validate(value)).toEqual({ ok: true, value: { city: 'Oslo', days: 3, stops: [] } });
  });

  it('names the path of an issue', () => {
    const outcome = input(schema).validate({ city: 'Oslo', stops: [{ at: 'a' }, { at: 5 }] }) as Outcome;
    expect(outcome).toMatchObject({ ok: false, issues: [{ path: 'stops[1].at' }] });
    const text = describeIssues(outcome.ok ? [] : outcome.issues);
    expect(text).toMatch(/^stops\[1\]\.at\b/);
    expect(text.match(/stops\[1\]/g)).toHaveLength(1);
  });

  it('keeps prototypes clean', () => {
    const value = JSON.parse(
      '{"city":"a","stops":[],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    );
    const outcome = input(schema).validate(value) as { value: object };
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((outcome.value as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(outcome.value)).toBe(Object.prototype);
  });
});

describe('direction', () => {
  const schema = z.object({
    n: z
      .string()
      .default('x')
      .transform((text) => text.length)
      .pipe(z.number()),
  });

  it('lists the input and the output side', () => {
    expect(input(schema).json).toMatchObject({ properties: { n: { type: 'string' } } });
    const output = compileSchema(schema, { owner: 'tool "t" output', direction: 'output' });
    expect(output.json).toMatchObject({ properties: { n: { type: 'number' } }, required: ['n'] });
  });

  it('lets an output be any value', () => {
    const output = compileSchema(z.array(z.string()), { owner: 'tool "t" output', direction: 'output' });
    expect(output.json).toEqual({ type: 'array', items: { type: 'string' } });
    expect(output.validate(['a'])).toEqual({ ok: true, value: ['a'] });
  });
});

describe('asynchronous checks', () => {
  const schema = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') });

  it('are awaited', async () => {
    const outcome = input(schema).validate({ name: 'taken' });
    expect(outcome).toBeInstanceOf(Promise);
    expect(await outcome).toEqual({ ok: false, issues: [{ path: 'name', message: 'is taken' }] });
    expect(await input(schema).validate({ name: 'free' })).toEqual({ ok: true, value: { name: 'free' } });
  });

  it('that throw reject', async () => {
    const failing = own({ type: 'object' }, () => Promise.reject(new Error('database gone')));
    await expect(input(failing).validate({ name: 'a' })).rejects.toThrow('database gone');
  });
});

describe('union roots', () => {
  const a = z.object({ kind: z.literal('a'), x: z.string() });
  const b = z.object({ kind: z.literal('b') });
  const tree: z.ZodType = z.lazy(() => z.union([z.object({ kids: z.array(tree) }), b]));

  const loop: z.ZodType = z.lazy(() => z.union([b, loop]));

  it.each([
    ['a union that holds itself', loop, 'anyOf'],
    ['a discriminated union', z.discriminatedUnion('kind', [a, b]), 'oneOf'],
    ['a union', z.union([a, b]), 'anyOf'],
    ['a union in a union', z.union([a, z.union([b, a])]), 'anyOf'],
    ['a recursive union', tree, 'anyOf'],
    ['an arktype union', type({ kind: '"a"' }).or({ kind: '"b"' }), 'anyOf'],
    ['a valibot union', toStandardJsonSchema(v.union([v.object({ a: v.string() }), v.object({})])), 'anyOf'],
  ])('%s says type: "object" first', (_title, schema, keyword) => {
    const { json } = input(schema);
    expect(Object.keys(json)[0]).toBe('type');
    expect(json.type).toBe('object');
    expect(json).toHaveProperty(keyword);
  });

  it.each([
    ['a string', z.string()],
    ['an array', z.array(a)],
    ['a union with a string', z.union([a, z.string()])],
    ['anything', z.any()],
    ['a nullable object', a.nullable()],
    [
      'a string twice',
      own({ allOf: [{ $ref: '#/$defs/s' }, { $ref: '#/$defs/s' }], $defs: { s: { type: 'string' } } }),
    ],
  ])('%s is refused', (_title, schema) => {
    expect(() => input(schema)).toThrow(
      /^tool "forecast" input: the schema must describe an object.*wrap it, as in z\.object/,
    );
  });
});

describe('schemas that cannot be listed', () => {
  const bare = (vendor: string): unknown => ({
    '~standard': { version: 1, vendor, validate: (value: unknown) => ({ value }) },
  });

  it.each([
    [
      'valibot without its adapter',
      v.object({}),
      /this valibot schema gives no JSON Schema.*toStandardJsonSchema/,
    ],
    ['an older zod', bare('zod'), /this zod schema gives no JSON Schema.*use zod 4\.2 or newer/],
    ['an older arktype', bare('arktype'), /use arktype 2\.1\.28 or newer/],
    ['another library', bare('other'), /this other schema gives no JSON Schema.*or plain JSON Schema/],
    [
      'a zod date',
      z.object({ at: z.date() }),
      /cannot be written as JSON Schema \(Date.*use types that JSON has/,
    ],
    ['an object of schemas', { city: z.string() }, /object of schemas; make it one schema, as in z\.object/],
    ['zod 3', Object.assign(Object.create({ parse() {} }), { _def: {} }), /neither a Standard Schema nor/],
    ['an array', [], /expected a schema of zod, valibot or arktype, or a plain/],
    ['null', null, /expected a schema of zod/],
    ['a string', 'object', /expected a schema of zod/],
    ['a function', () => {}, /expected a schema of zod/],
  ])('%s', (_title, schema, reason) => {
    expect(() => input(schema)).toThrow(TypeError);
    expect(() => input(schema)).toThrow(reason);
    expect(() => input(schema)).toThrow(/^tool "forecast" input: /);
  });
});

describe('bounds', () => {
  it('returns at most ten issues, with cut texts', () => {
    const schema = z.object({ list: z.array(z.string({ error: 'x'.repeat(1_000) })) });
    const outcome = input(schema).validate({ list: Array(50).fill(1) });
    if (outcome instanceof Promise || outcome.ok) throw new Error('expected issues');
    expect(outcome.issues).toHaveLength(10);
    expect(outcome.issues[9]).toEqual({ path: 'list[9]', message: `${'x'.repeat(299)}…` });
  });

  it('answers a deeply nested value with an issue', async () => {
    const node: z.ZodType = z.lazy(() => z.object({ a: node.optional() }));
    let value: object = {};
    for (let level = 0; level < 100_000; level++) value = { a: value };
    expect(await input(node).validate(value)).toEqual({
      ok: false,
      issues: [{ path: '', message: 'the value is nested too deeply' }],
    });
  });
});

describe('describeIssues', () => {
  it('names the paths', () => {
    expect(
      describeIssues([
        { path: '', message: 'must be object' },
        { path: 'a.b[0]', message: 'is required' },
        { path: 'c', message: 'c must be a string' },
      ]),
    ).toBe('must be object; a.b[0]: is required; c must be a string');
  });
});
