import { interpret } from '@tenon/json-schema/interpreter';
import { subschemas } from '@tenon/json-schema/structure';
import type { JsonObject, JsonValue, SchemaObject, Tool } from '@tenon/mcp-protocol';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { restoreArguments } from './restore-arguments.js';
import { modelTools } from './tool-definitions.js';

// Generated schemas with values that they accept. What a server accepts, a model must be able to send in every format.

interface Case {
  readonly schema: SchemaObject;
  /** Returns a value of the schema by random numbers. */
  readonly value: (next: () => number) => JsonValue;
}

const name = fc.constantFrom('a', 'b', 'c', '$d', 'e-f', 'g h');

const scalar: fc.Arbitrary<Case> = fc.constantFrom<Case>(
  { schema: { type: 'string' }, value: () => 'text' },
  { schema: { type: 'string', minLength: 2, pattern: '^[a-z]+$' }, value: () => 'text' },
  { schema: { type: 'integer', minimum: 1, maximum: 9 }, value: (next) => 1 + (next() % 9) },
  { schema: { type: 'number', exclusiveMinimum: 0 }, value: () => 0.5 },
  { schema: { type: 'boolean' }, value: (next) => next() % 2 === 0 },
  { schema: { type: ['string', 'null'] }, value: (next) => (next() % 2 === 0 ? null : 'text') },
  { schema: { type: ['string', 'integer'] }, value: (next) => (next() % 2 === 0 ? 3 : 'text') },
  { schema: { enum: ['x', 'y', 3] }, value: (next) => ['x', 'y', 3][next() % 3] ?? 'x' },
  { schema: { enum: ['x', null] }, value: (next) => (next() % 2 === 0 ? null : 'x') },
  { schema: { const: 'k' }, value: () => 'k' },
  { schema: { const: true }, value: () => true },
  { schema: { type: 'string', format: 'date', default: '2020-01-01' }, value: () => '2024-02-29' },
  { schema: { $ref: '#/$defs/word' }, value: () => 'word' },
  { schema: { $ref: '#/$defs/word', description: 'A word.' }, value: () => 'word' },
  { schema: {}, value: () => [1, { any: null }] },
);

function objectOf(members: readonly (readonly [string, Case])[], required: readonly boolean[]): Case {
  const names = members.filter((_, index) => required[index]).map(([one]) => one);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(members.map(([one, { schema }]) => [one, schema])),
      ...(names.length > 0 && { required: names }),
    },
    value: (next) =>
      Object.fromEntries(
        members
          .filter(([one]) => names.includes(one) || next() % 2 === 0)
          .map(([one, { value }]) => [one, value(next)]),
      ),
  };
}

const { object } = fc.letrec<{ anyCase: Case; object: Case }>((tie) => ({
  object: fc
    .uniqueArray(fc.tuple(name, tie('anyCase')), { selector: ([one]) => one, minLength: 1, maxLength: 4 })
    .chain((members) =>
      fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }).map((required) => objectOf(members, required)),
    ),
  anyCase: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    tie('object'),
    tie('anyCase').map(
      ({ schema, value }): Case => ({
        schema: { type: 'array', items: schema, maxItems: 3 },
        value: (next) => Array.from({ length: next() % 4 }, () => value(next)),
      }),
    ),
    fc.array(tie('anyCase'), { minLength: 1, maxLength: 3 }).map(
      (cases): Case => ({
        schema: { anyOf: cases.map(({ schema }) => schema) },
        value: (next) => cases[next() % cases.length]?.value(next) ?? null,
      }),
    ),
    tie('anyCase').map(
      ({ schema, value }): Case => ({ schema: { allOf: [schema, { description: 'Both.' }] }, value }),
    ),
    fc.tuple(tie('anyCase'), tie('anyCase')).map(
      ([one, other]): Case => ({
        schema: { type: 'array', prefixItems: [one.schema, other.schema], minItems: 2, maxItems: 2 },
        value: (next) => [one.value(next), other.value(next)],
      }),
    ),
  ),
}));

const root: fc.Arbitrary<Case> = fc.oneof(
  object,
  fc.array(object, { minLength: 1, maxLength: 3 }).map(
    (cases): Case => ({
      schema: { type: 'object', anyOf: cases.map(({ schema }) => schema) },
      value: (next) => cases[next() % cases.length]?.value(next) ?? null,
    }),
  ),
);

const generated = fc
  .tuple(root, fc.array(fc.nat(1_000), { minLength: 30, maxLength: 30 }))
  .map(([{ schema, value }, numbers]) => {
    let at = 0;
    const args = value(() => numbers[at++ % numbers.length] ?? 0) as JsonObject;
    const inputSchema: SchemaObject = { ...schema, $defs: { word: { type: 'string', maxLength: 9 } } };
    return { tool: { name: 'tool', inputSchema } satisfies Tool, args };
  });

function accepts(schema: SchemaObject, value: JsonValue): boolean {
  return interpret(schema, { dialect: '2020-12', mostIssues: 1 })(value) === undefined;
}

/** Sends arguments by a schema as a model would: with the names of the schema, and in strict mode null for absent members. */
function sent(value: JsonValue, schema: SchemaObject): JsonValue {
  if (Array.isArray(schema.allOf))
    return (schema.allOf as SchemaObject[]).reduce((one, part) => sent(one, part), value);
  if (Array.isArray(schema.anyOf)) {
    const all = (schema.anyOf as SchemaObject[]).map((branch) => ({ branch, one: sent(value, branch) }));
    return all.find(({ branch, one }) => accepts(branch, one))?.one ?? value;
  }
  if (Array.isArray(value)) {
    const first = (schema.prefixItems ?? []) as readonly SchemaObject[];
    return value.map((item: JsonValue, index) =>
      sent(item, first[index] ?? (schema.items as SchemaObject | undefined) ?? {}),
    );
  }
  if (typeof value !== 'object' || value === null || typeof schema.properties !== 'object') return value;
  const left = new Map(Object.entries(value as JsonObject));
  const members = new Map<string, JsonValue>();
  for (const [key, member] of Object.entries(schema.properties as { readonly [key: string]: SchemaObject })) {
    const own = [...left].find(([one]) => one === key || isChanged(key, one));
    if (own !== undefined) {
      members.set(key, sent(own[1], member));
      left.delete(own[0]);
    } else if (((schema.required ?? []) as readonly string[]).includes(key)) members.set(key, null);
  }
  return Object.fromEntries([...members, ...left]);
}

/** Whether an optional member is null or absent may be lost where the branches of a union differ about it. */
function withoutNulls(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value, (_, one: unknown) => (one === null ? undefined : one)));
}

function isChanged(written: string, name: string): boolean {
  return (
    written.length > 17 &&
    written.slice(0, -17) === name.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_')
  );
}

const common = [
  'type',
  'title',
  'description',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
];
const sizes = ['minItems', 'maxItems', 'minimum', 'maximum'];
const keywords: { readonly [format: string]: readonly string[] } = {
  gemini: [...common, ...sizes, 'prefixItems', 'format'],
  openai: [...common, ...sizes, 'exclusiveMinimum', 'const', 'format', 'pattern', '$ref', '$defs'],
  anthropic: [...common, 'const', 'format', 'minItems'],
};

/** Checks a schema, and all schemas inside it, by the rules of a format that accepts few keywords. */
function expectNarrow(schema: SchemaObject, format: string, isStrict: boolean): void {
  expect(keywords[format]).toEqual(expect.arrayContaining(Object.keys(schema)));
  const names = Object.keys(schema.properties ?? {});
  const required = (schema.required ?? []) as readonly string[];
  expect(names).toEqual(expect.arrayContaining([...required]));
  if (isStrict && [schema.type].flat().includes('object')) {
    expect(schema.additionalProperties).toBe(false);
    if (format === 'openai') expect(required).toEqual(names);
  }
  if (schema.anyOf !== undefined) expect(schema.type).toBeUndefined();
  for (const { schema: inner } of subschemas(schema))
    if (typeof inner === 'object') expectNarrow(inner as SchemaObject, format, isStrict);
}

const runs = { numRuns: 300, seed: 28 };

it.each(['anthropic', 'openai', 'gemini', 'ai-sdk'] as const)(
  'can be sent as %s when the server accepts them',
  (format) => {
    fc.assert(
      fc.property(generated, ({ tool, args }) => {
        fc.pre(accepts(tool.inputSchema, args));
        const { tools } = modelTools([{ name: 'tool', server: 's', tool }], { for: format });
        const schema = schemaOf(tools);
        if (format === 'gemini') expectNarrow(schema, format, false);
        const call = sent(args, schema);
        expect(accepts(schema, call)).toBe(true);
        const restored = restoreArguments(tool, call as JsonObject);
        expect(accepts(tool.inputSchema, restored)).toBe(true);
        expect(withoutNulls(restored)).toEqual(withoutNulls(args));
      }),
      runs,
    );
  },
);

it.each(['anthropic', 'openai'] as const)(
  'can be sent in strict mode of %s when the server accepts them',
  (format) => {
    let strict = 0;
    fc.assert(
      fc.property(generated, ({ tool, args }) => {
        fc.pre(accepts(tool.inputSchema, args));
        const { tools, report } = modelTools([{ name: 'tool', server: 's', tool }], {
          for: format,
          strict: true,
        });
        if (report.some(({ keyword }) => keyword === 'strict')) return;
        strict += 1;
        const schema = schemaOf(tools);
        expectNarrow(schema, format, true);
        const call = sent(args, schema);
        expect(accepts(schema, call)).toBe(true);
        const restored = restoreArguments(tool, call as JsonObject);
        // A null stays if one branch of a union requires it. Which branch the model meant is not known.
        const isAccepted = [restored, withoutNulls(restored)].some((one) => accepts(tool.inputSchema, one));
        expect(isAccepted).toBe(true);
        expect(withoutNulls(restored)).toEqual(withoutNulls(args));
      }),
      runs,
    );
    expect(strict).toBeGreaterThan(50);
  },
);

function schemaOf(tools: unknown): SchemaObject {
  const [first] = Object.values(tools as object) as [{ readonly [key: string]: unknown }];
  const declarations = first.functionDeclarations as
    | readonly { readonly [key: string]: unknown }[]
    | undefined;
  const tool =
    declarations?.[0] ?? (first.function as { readonly [key: string]: unknown } | undefined) ?? first;
  return (tool.input_schema ??
    tool.parameters ??
    tool.inputSchema ??
    tool.parametersJsonSchema ??
    {}) as SchemaObject;
}
