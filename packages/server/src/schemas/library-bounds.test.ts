import { defaultLibraryBounds } from '@tenon/json-schema';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compileSchema, type Issue, type Outcome, type Schema, type StandardSchema } from './schema.js';

/** A schema that counts what its library does. */
class Counted {
  calls = 0;
  issues = 0;
  readonly schema: Schema;

  constructor(inner: unknown, vendor?: string) {
    const standard = (inner as StandardSchema)['~standard'];
    const validate = (value: unknown) => {
      this.calls++;
      const result = standard.validate(value);
      if (!(result instanceof Promise)) this.issues += result.issues?.length ?? 0;
      return result;
    };
    this.schema = {
      '~standard': {
        version: 1,
        vendor: vendor ?? standard.vendor,
        jsonSchema: standard.jsonSchema as NonNullable<typeof standard.jsonSchema>,
        validate,
      },
    };
  }

  check(value: unknown, direction: 'input' | 'output' = 'input'): Outcome | Promise<Outcome> {
    return this.compiled(direction).validate(value);
  }

  compiled(direction: 'input' | 'output' = 'input', bounds = defaultLibraryBounds) {
    return compileSchema(this.schema, { owner: 'tool "t" input', direction, bounds });
  }
}

function reported(outcome: Outcome): readonly Issue[] {
  return outcome.ok ? [] : outcome.issues;
}

function many<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

const most = defaultLibraryBounds.schemaProblems;
const tooMany = `more than ${most} values do not fit the schema, or only its library can tell; send fewer`;
const tooLong = 'the value takes too long to check; send less of it';
const empty = { list: many(200_000, () => ({})) };

const ofZod = z.object({ list: z.array(z.object({ a: z.number(), b: z.string() })) });
const ofValibot = toStandardJsonSchema(
  v.object({ list: v.array(v.object({ a: v.number(), b: v.string() })) }),
);
const ofArktype = type({ list: type({ a: 'number', b: 'string' }).array() });

describe('a library never sees a value with more problems than it may report:', () => {
  const node: z.ZodType = z.lazy(() =>
    z.union([
      z.object({ a: z.number(), next: node.optional() }),
      z.object({ b: z.number(), next: node.optional() }),
    ]),
  );
  const rows: [string, unknown, unknown][] = [
    ['zod objects', ofZod, empty],
    ['valibot objects', ofValibot, empty],
    ['arktype objects', ofArktype, empty],
    ['a zod union', z.object({ list: z.array(z.union([z.object({ a: z.number() }), z.string()])) }), empty],
    [
      'a valibot union',
      toStandardJsonSchema(v.object({ list: v.array(v.union([v.object({ a: v.number() }), v.string()])) })),
      empty,
    ],
    ['an arktype union', type({ list: type({ a: 'number' }).or('string').array() }), empty],
    ['a list that may be null', z.object({ list: z.array(z.object({ a: z.number() })).nullable() }), empty],
    [
      'a list in a branch that a property chooses',
      z.discriminatedUnion('op', [
        z.object({ op: z.literal('x') }),
        z.object({ op: z.literal('y'), list: z.array(z.number()) }),
      ]),
      { ...empty, op: 'y' },
    ],
    ['a record', z.object({ list: z.record(z.string(), z.number()) }), { list: { ...many(20_000, String) } }],
    ['unknown members', z.strictObject({}), { ...many(20_000, String) }],
    ['a tree', z.object({ list: z.array(node) }), empty],
    ['texts for a pattern', z.object({ list: z.array(z.email()) }), { list: many(20_000, String) }],
    ['texts for a URL', z.object({ list: z.array(z.url()) }), { list: many(20_000, () => '') }],
    [
      'texts that only the library can check',
      toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.email())) })),
      { list: many(20_000, () => '') },
    ],
    [
      'the same in one of two branches',
      toStandardJsonSchema(v.object({ list: v.array(v.nullable(v.pipe(v.string(), v.email()))) })),
      { list: many(20_000, () => '') },
    ],
    [
      'a choice of many, each of which is reported',
      z.object({ list: z.array(z.enum(many(640, (index) => `c${index}`))) }),
      { list: many(2_000, () => '') },
    ],
    [
      'values that the library converts, if it can',
      z.object({ list: z.array(z.coerce.number()) }),
      { list: many(20_000, () => ({})) },
    ],
  ];
  it.each(rows)('%s', async (_name, schema, value) => {
    const counted = new Counted(schema);
    const outcome = await counted.check(value);
    expect(counted).toMatchObject({ calls: 0, issues: 0 });
    expect(reported(outcome)[0]).toEqual({ path: '', message: tooMany });
    expect(reported(outcome).length).toBeLessThanOrEqual(10);
  });

  it('names the first problems', async () => {
    const issues = reported(await new Counted(ofZod).check(empty));
    expect(issues).toHaveLength(10);
    expect(issues.slice(1, 3)).toEqual([
      { path: 'list[0].a', message: 'is required' },
      { path: 'list[0].b', message: 'is required' },
    ]);
  });

  it('any other library, by its JSON Schema', async () => {
    const counted = new Counted(ofZod, 'another');
    expect(await counted.check(empty)).toMatchObject({ ok: false });
    expect(counted.calls).toBe(0);
  });

  it('by a JSON Schema that cannot be interpreted, each part may be a problem', async () => {
    const inner = {
      '~standard': {
        version: 1,
        vendor: 'another',
        validate: (value: unknown) => ({ value }),
        jsonSchema: { input: () => ({ type: 'object', properties: { list: { minItems: '1' } } }) },
      },
    };
    const counted = new Counted(inner);
    expect(await counted.check({ list: many(20_000, String) })).toMatchObject({ ok: false });
    expect(counted.calls).toBe(0);
    expect(await counted.check({ list: many(5_000, String) })).toMatchObject({ ok: true });
  });
});

describe('a library never sees a value that it would look at too often:', () => {
  const branches = many(40, (index) => z.object({ k: z.literal(index), a: z.string() }));
  const rows: [string, unknown, unknown][] = [
    [
      'a union of many branches',
      z.object({ list: z.array(z.union(branches as never)) }),
      { list: many(100_000, () => ({ k: 39, a: '' })) },
    ],
    [
      'a long text for a slow pattern',
      z.object({ list: z.array(z.string().regex(/x.*x.*y/)) }),
      { list: ['x'.repeat(100_000)] },
    ],
  ];
  it.each(rows)('%s', async (_name, schema, value) => {
    const counted = new Counted(schema);
    expect(await counted.check(value)).toEqual({ ok: false, issues: [{ path: '', message: tooLong }] });
    expect(counted.calls).toBe(0);
  });
});

describe('a large value is left to its library, once, as it came:', () => {
  const long = 'x'.repeat(100_000);
  const rows: [string, unknown, unknown][] = [
    [
      'a million numbers',
      z.object({ list: z.array(z.number()) }),
      { list: many(1_000_000, (index) => index) },
    ],
    [
      'objects',
      z.object({ list: z.array(z.object({ a: z.number() })) }),
      { list: many(100_000, (a) => ({ a })) },
    ],
    [
      'the last of some branches',
      z.object({ list: z.array(z.union([z.object({ a: z.string() }), z.object({ a: z.number() })])) }),
      { list: many(50_000, (a) => ({ a })) },
    ],
    ['numbers as text', z.object({ list: z.array(z.coerce.number()) }), { list: many(5_000, String) }],
    [
      'what is converted first',
      z.object({ list: z.preprocess((text) => String(text).split(','), z.array(z.string())) }),
      { list: many(5_000, String).join(',').repeat(4) },
    ],
    ['what is caught', z.object({ list: z.array(z.number().catch(0)) }), { list: many(5_000, String) }],
    ['what is cut first', z.object({ list: z.string().trim().max(10) }), { list: `${' '.repeat(50_000)}a` }],
    [
      'a pattern with a flag',
      z.object({ list: z.array(z.string().regex(/^a$/i)) }),
      { list: many(5_000, () => 'A') },
    ],
    [
      'defaults',
      z.object({ list: z.array(z.object({ a: z.number().default(1) })) }),
      { list: many(5_000, () => ({})) },
    ],
    [
      'addresses',
      z.object({ list: z.array(z.email()) }),
      { list: many(50_000, (index) => `user${index}@example.com`) },
    ],
    [
      'URLs',
      z.object({ list: z.array(z.url()) }),
      { list: many(50_000, (index) => `https://example.com/${index}`) },
    ],
    [
      'times',
      z.object({ list: z.array(z.iso.datetime()) }),
      { list: many(50_000, () => '2026-01-01T00:00:00Z') },
    ],
    ['a long text', z.object({ list: z.string() }), { list: long }],
    ['a long text in base64url', z.object({ list: z.base64url() }), { list: long }],
    [
      'lists where objects are meant, which valibot lets pass',
      toStandardJsonSchema(v.object({ list: v.array(v.object({})) })),
      { list: many(5_000, () => []) },
    ],
    [
      'valibot addresses',
      toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.email())) })),
      { list: many(9_000, (index) => `user${index}@example.com`) },
    ],
    [
      'arktype',
      type({ list: type({ a: 'number|string' }).array() }),
      { list: many(100_000, (a) => ({ a })) },
    ],
    ['problems, if not too many', ofZod, { list: many(4_000, () => ({})) }],
    [
      'a refinement',
      z.object({ list: z.array(z.number()).refine((list) => list.length > 9_000) }),
      { list: many(2_000, Number) },
    ],
  ];
  it.each(rows)('%s', async (_name, schema, value) => {
    const counted = new Counted(schema);
    const outcome = await counted.check(value);
    expect(counted.calls).toBe(1);
    const direct = await (schema as StandardSchema)['~standard'].validate(value);
    if (direct.issues === undefined) expect(outcome).toEqual({ ok: true, value: direct.value });
    else expect(reported(outcome)[0]?.message).toBe(direct.issues[0]?.message);
  });

  it('two branches that look alike, deep down', async () => {
    const node: z.ZodType = z.lazy(() =>
      z.union([
        z.object({ next: node.optional(), end: z.number() }),
        z.object({ next: node.optional(), end: z.string() }),
      ]),
    );
    let chain: object = { end: 'x' };
    for (let level = 0; level < 100; level++) chain = { next: chain, end: 'x' };
    const counted = new Counted(z.object({ list: z.array(node) }));
    expect(await counted.check({ list: many(50, () => chain) })).toMatchObject({ ok: true });
    expect(counted.calls).toBe(1);
  });

  it('what a handler returned, however often only the library can check it', async () => {
    const emails = toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.email())) }));
    const value = { list: many(20_000, (index) => `user${index}@example.com`) };
    expect(await new Counted(emails).check(value, 'output')).toEqual({ ok: true, value });
    const codec = z.codec(z.number(), z.string(), { decode: String, encode: Number });
    const converted = await new Counted(z.object({ list: z.array(codec) })).check(
      { list: many(20_000, (index) => index) },
      'output',
    );
    expect(converted).toMatchObject({ ok: true });
  });
});

it('rejects a return value with as many problems', async () => {
  const counted = new Counted(ofZod);
  expect(await counted.check(empty, 'output')).toMatchObject({ ok: false });
  expect(counted.calls).toBe(0);
});

it('checks a small value by its library directly, and answers at once', () => {
  const counted = new Counted(ofZod);
  const compiled = counted.compiled();
  expect(compiled.validate({ list: [{ a: 1, b: '' }] })).toMatchObject({ ok: true });
  expect(compiled.validate({ list: many(400, () => ({})) })).toMatchObject({ ok: false });
  expect(counted.calls).toBe(2);
});

it('a large value is answered at once after the first', async () => {
  const compiled = new Counted(ofZod).compiled();
  const value = { list: many(1_000, () => ({ a: 1, b: '' })) };
  const first = compiled.validate(value);
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toMatchObject({ ok: true });
  expect(compiled.validate(value)).toMatchObject({ ok: true });
});

it('bounds can be set', async () => {
  const value = { list: many(1_001, () => ({})) };
  const fewer = new Counted(ofZod);
  const few = fewer.compiled('input', { schemaSteps: 5_000_000, schemaProblems: 2_001 });
  expect(reported(await few.validate(value))[0]?.message).toBe(tooMany.replace(`${most}`, '2001'));
  const steps = fewer.compiled('input', { schemaSteps: 1_000, schemaProblems: 10_000 });
  expect(await steps.validate(value)).toMatchObject({ issues: [{ message: tooLong }] });
  expect(fewer.calls).toBe(0);
});
