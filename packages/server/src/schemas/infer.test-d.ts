import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import type { InferInput, InferOutput, Schema } from './schema.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if both types are the same. */
function same<A, B>(_proof: Same<A, B>): void {}

/** As `tool()` takes its schemas. */
declare function infer<const S extends Schema>(schema: S): { input: InferInput<S>; output: InferOutput<S> };

// Libraries

const zod = infer(z.object({ city: z.string(), days: z.number().default(3) }));
same<typeof zod.input, { city: string; days?: number | undefined }>(true);
same<typeof zod.output, { city: string; days: number }>(true);

const converted = infer(z.object({ at: z.string().transform((text) => text.length) }));
same<typeof converted.input, { at: string }>(true);
same<typeof converted.output, { at: number }>(true);

const valibot = infer(toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) })));
same<typeof valibot.input, { city: string; days?: number | undefined }>(true);
same<typeof valibot.output, { city: string; days: number }>(true);

const arktype = infer(type({ city: 'string', days: 'number = 3' }));
same<typeof arktype.input, { city: string; days?: number }>(true);
same<typeof arktype.output, { city: string; days: number }>(true);

// Literals: scalars

function literal<const S extends Schema>(_schema: S): InferOutput<S> {
  return undefined as InferOutput<S>;
}

const text = literal({ type: 'string', minLength: 1 });
same<typeof text, string>(true);
const integer = literal({ type: 'integer' });
same<typeof integer, number>(true);
const nothing = literal({ type: 'null' });
same<typeof nothing, null>(true);
const nullable = literal({ type: ['string', 'null'] });
same<typeof nullable, string | null>(true);
const units = literal({ type: 'string', enum: ['C', 'F'] });
same<typeof units, 'C' | 'F'>(true);
const fixed = literal({ const: 7 });
same<typeof fixed, 7>(true);

// Literals: objects

const forecast = literal({
  type: 'object',
  properties: {
    city: { type: 'string', 'x-mcp-header': 'City' },
    days: { type: 'integer', default: 3 },
    where: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'] },
  },
  required: ['city'],
});
same<typeof forecast, { city: string; days?: number; where?: { lat: number } }>(true);

const closed = literal({
  type: 'object',
  properties: { a: { type: 'string' } },
  additionalProperties: false,
});
same<typeof closed, { a?: string }>(true);
const open = literal({ type: 'object' });
same<typeof open, { [key: string]: unknown }>(true);
const empty = literal({ type: 'object', additionalProperties: false });
same<typeof empty, { [key: string]: never }>(true);
const counts = literal({ type: 'object', additionalProperties: { type: 'number' } });
same<typeof counts, { [key: string]: number }>(true);
const mixed = literal({
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
  additionalProperties: { type: 'number' },
});
same<typeof mixed.name, string>(true);
same<(typeof mixed)['other'], string | number | undefined>(true);
const named = literal({ type: 'object', required: ['a'] });
same<typeof named.a, unknown>(true);
const extra = literal({ type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'b'] });
same<typeof extra, { a: string; b: unknown }>(true);

// Literals: arrays

const list = literal({ type: 'array', items: { type: 'string' } });
same<typeof list, string[]>(true);
const anyList = literal({ type: 'array' });
same<typeof anyList, unknown[]>(true);
const pair = literal({
  type: 'array',
  prefixItems: [{ type: 'string' }, { type: 'number' }],
  items: false,
  minItems: 2,
});
same<typeof pair, [string, number]>(true);
const loosePair = literal({
  type: 'array',
  prefixItems: [{ type: 'string' }, { type: 'number' }],
  items: false,
});
same<typeof loosePair, [string?, number?]>(true);
const headed = literal({
  type: 'array',
  prefixItems: [{ type: 'string' }],
  items: { type: 'boolean' },
  minItems: 1,
});
same<typeof headed, [string, ...boolean[]]>(true);

// Literals: unions

const either = literal({ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] });
same<typeof either, string | number[]>(true);
const shape = literal({
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'circle' }, r: { type: 'number' } },
      required: ['kind', 'r'],
    },
    { type: 'object', properties: { kind: { const: 'dot' } }, required: ['kind'] },
  ],
});
same<typeof shape, { kind: 'circle'; r: number } | { kind: 'dot' }>(true);
const atLeastOne = literal({
  type: 'object',
  properties: { a: { type: 'string' }, b: { type: 'string' } },
  anyOf: [{ required: ['a'] }, { required: ['b'] }],
});
same<typeof atLeastOne.a, string | undefined>(true);

// Literals: what says too little, and what is known only at run time

const reference = literal({ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } });
same<typeof reference, unknown>(true);
const anything = literal({
  type: 'object',
  properties: { a: true, b: {}, c: { $ref: '#' }, d: { not: {} } },
});
same<typeof anything, { a?: unknown; b?: unknown; c?: unknown; d?: unknown }>(true);
const never = literal({ type: 'object', properties: { a: false } });
same<typeof never, { a?: never }>(true);
const widened: { type: string; properties: { a: { type: string } } } = {
  type: 'object',
  properties: { a: { type: 'string' } },
};
const unknownType = literal(widened);
same<typeof unknownType, unknown>(true);
same<InferInput<Schema>, unknown>(true);
same<InferOutput<{ readonly [keyword: string]: unknown }>, unknown>(true);

// @ts-expect-error a string is not a schema
literal('object');
// @ts-expect-error the types differ, so `same` is not a rubber stamp
same<{ a: string }, { a?: string }>(true);
