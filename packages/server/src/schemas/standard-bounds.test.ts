import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope } from 'arktype';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { takesAtMost } from '../../../../tooling/suite/effort.js';
import { compileSchema, type Schema } from './schema.js';

// Unions with similar branches at every level, which reject a value only at the bottom.
const ofZod: z.ZodType = z.lazy(() =>
  z.union([
    z.object({ next: ofZod.optional(), a: z.number().optional(), end: z.number().optional() }),
    z.object({ next: ofZod.optional(), b: z.number().optional(), end: z.number().optional() }),
  ]),
);
const ofValibot: v.GenericSchema = v.lazy(() =>
  v.union([
    v.object({ next: v.optional(ofValibot), a: v.optional(v.number()), end: v.optional(v.number()) }),
    v.object({ next: v.optional(ofValibot), b: v.optional(v.number()), end: v.optional(v.number()) }),
  ]),
);
const ofArktype = scope({
  one: { 'next?': 'both', 'a?': 'number', 'end?': 'number' },
  other: { 'next?': 'both', 'b?': 'number', 'end?': 'number' },
  both: 'one | other',
  root: { 'list?': 'both' },
}).export().root;

const rows: [string, Schema][] = [
  ['zod', z.object({ list: ofZod })],
  ['valibot', toStandardJsonSchema(v.object({ list: ofValibot }))],
  ['arktype', ofArktype as never],
];

it.each(rows)('%s is not kept busy by a union that looks alike', async (_name, schema) => {
  const compiled = compileSchema(schema, { owner: 'tool "t" input', direction: 'input' });
  await compiled.prepare();
  // Long enough that work which doubles at each level takes seconds, and not for ever.
  let chain: object = { end: 'x' };
  for (let level = 0; level < 22; level++) chain = { next: chain };
  expect(await compiled.validate({ list: { next: { next: { end: 1 } } } })).toMatchObject({ ok: true });
  const plain = z.array(z.object({ index: z.number() }));
  const list = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  await takesAtMost(
    20,
    () => compiled.validate({ list: chain }),
    () => plain.parse(list),
  );
});

it('reports a value rejected by a union, and a deep variant, as the library does', async () => {
  const use = { owner: 'tool "t" input', direction: 'input' } as const;
  const union = compileSchema(toStandardJsonSchema(v.object({ list: ofValibot })) as Schema, use);
  expect(await union.validate({ list: { next: { end: 'x' } } })).toMatchObject({
    ok: false,
    issues: [{ path: 'list' }],
  });
  const node: v.GenericSchema = v.lazy(() =>
    v.variant('kind', [
      v.object({ kind: v.literal('a'), next: v.optional(node) }),
      v.object({ kind: v.literal('b'), next: v.optional(node) }),
    ] as never),
  );
  const variant = compileSchema(toStandardJsonSchema(v.object({ list: node })) as Schema, use);
  let chain: object = { kind: 'b' };
  for (let level = 0; level < 60; level++) chain = { kind: 'a', next: chain };
  expect(await variant.validate({ list: chain })).toMatchObject({ ok: true });
});
