import { needsInterpreter } from '@tenon/json-schema';
import { describe, expect, it } from 'vitest';
import { takesAtMost } from '../../../../tooling/suite/effort.js';
import { interpreter } from '../interpreter.js';
import { compileSchema, type Outcome, type Schema, type Validator } from './schema.js';

const tooMuch = ['the value takes too long to check; send less of it', 'the value is nested too deeply'];

function many<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function object(list: object, more: object = {}): object {
  return { type: 'object', properties: { list }, ...more };
}

/** Checks a peer's value, again and again. */
async function checker(
  schema: object,
  value: unknown,
  validator?: Validator,
): Promise<() => Promise<Outcome>> {
  const owner = 'tool "t" input';
  const compiled = compileSchema(schema as Schema, { owner, direction: 'input', validator });
  await compiled.prepare();
  return async () => compiled.validate(value);
}

async function check(schema: object, value: unknown): Promise<Outcome> {
  const validate = await checker(schema, value);
  return validate();
}

const step = (name: string) => ({
  properties: { next: { $ref: '#/$defs/step' }, [name]: { type: 'number' }, end: { type: 'number' } },
});
/** A union with similar branches, each with a check of the nested value. */
const tree = object({ $ref: '#/$defs/step' }, { $defs: { step: { anyOf: [step('a'), step('b')] } } });
let chain: object = { end: 'x' };
for (let level = 0; level < 200; level++) chain = { next: chain };

const doubling: Record<string, object> = { d0: { type: 'string' } };
for (let level = 1; level <= 24; level++) {
  const $ref = `#/$defs/d${level - 1}`;
  doubling[`d${level}`] = { anyOf: [{ $ref }, { $ref }] };
}

/** A value that the interpreter checks in a few milliseconds. */
const ordinary = many(300_000, () => 1);

type Row = readonly [title: string, schema: object, value: unknown];

const rows: readonly Row[] = [
  [
    'a million members that must differ',
    object({ uniqueItems: true }),
    { list: many(1_000_000, (index) => index) },
  ],
  [
    'objects that must differ',
    object({ uniqueItems: true }),
    { list: many(200_000, (index) => ({ index })) },
  ],
  ['a long text for its pattern', object({ pattern: '^.*x.*y$' }), { list: 'x'.repeat(1_000_000) }],
  [
    'many texts for a slow pattern',
    object({ items: { pattern: 'x.*x.*y' } }),
    { list: many(10_000, () => `${'x'.repeat(90)}y`) },
  ],
  ['branches that look alike', tree, { list: chain }],
  ['a chain of depth 24', object({ $ref: '#/$defs/d24' }, { $defs: doubling }), { list: 1 }],
  [
    'a long choice for a long list',
    object({ items: { enum: many(5_000, (index) => ({ index })) } }),
    { list: many(100_000, () => ({ index: 4_999 })) },
  ],
  ['depth', object({ $ref: '#' }), JSON.parse(`${'{"list":'.repeat(100_000)}{}${'}'.repeat(100_000)}`)],
];

describe.each<[string, Validator | undefined]>([
  ['by default', undefined],
  ['interpreted', interpreter()],
])('%s, rejects a call early that would block all others:', (_name, validator) => {
  it.each(rows)('%s', async (...[, schema, value]) => {
    const validate = await checker(schema, value, validator);
    const outcome = await validate();
    expect(outcome).toMatchObject({ ok: false });
    expect(tooMuch).toContain(outcome.ok || outcome.issues[0]?.message);
    const plain = await checker(object({ items: { type: 'number' } }), { list: ordinary }, interpreter());
    await takesAtMost(100, validate, plain);
  });
});

it('a check that was broken off leaves nothing behind for the schemas that come after it', async () => {
  const costly = object({ uniqueItems: true });
  expect((await check(costly, { list: many(1_000_000, (index) => index) })).ok).toBe(false);
  expect((await check(costly, { list: [1, 2] })).ok).toBe(true);
  await check(costly, { list: many(1_000_000, (index) => index) });
  const next = object({ pattern: '^a' }, { required: ['list'] });
  expect((await check(next, { list: 'a' })).ok).toBe(true);
});

describe('checks ordinary input fully:', () => {
  it.each<Row>([
    ['members that differ', object({ uniqueItems: true }), { list: many(50_000, (index) => `k${index}`) }],
    [
      'an ordinary pattern',
      object({ items: { pattern: '^[^@]+@[^@]+$' } }),
      { list: many(20_000, (index) => `user${index}@example.com`) },
    ],
    ['a large list', object({ items: { type: 'number' } }), { list: many(1_000_000, (index) => index) }],
    [
      'a tree',
      object({ type: 'array', items: { $ref: '#' } }),
      { list: many(10_000, () => ({ list: [{}, { list: [] }] })) },
    ],
  ])('%s', async (...[, schema, value]) => {
    expect(await check(schema, value)).toEqual({ ok: true, value });
  });
});

describe('falls back to the interpreter', () => {
  it.each<readonly [string, object, boolean]>([
    ['an ordinary schema', object({ items: { anyOf: [{ type: 'string' }, { enum: [1, 2, 3] }] } }), false],
    [
      'many properties',
      { properties: Object.fromEntries(many(500, (index) => [`p${index}`, { type: 'string' }])) },
      false,
    ],
    [
      'definitions used twice',
      {
        properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
        $defs: { x: { type: 'string' } },
      },
      false,
    ],
    ['an unused definition', { $defs: { a: { $ref: '#/$defs/a' } } }, false],
    ['itself', { properties: { a: { $ref: '#' } } }, true],
    ['a circle by an anchor', { $ref: '#a', $defs: { a: { $anchor: 'a', items: { $ref: '#a' } } } }, true],
    [
      'many branches in many branches',
      { anyOf: many(10, () => ({ items: { anyOf: many(10, () => ({})) } })) },
      true,
    ],
    ['a long choice', { enum: many(2_000, (index) => index) }, true],
    ['what the compiler reads otherwise', { contains: { type: 'string' } }, true],
    ['what was not looked at', { unevaluatedProperties: false }, true],
    [
      'an identity inside',
      { $defs: { a: { $id: 'https://t.example/a' } }, $ref: 'https://t.example/a' },
      true,
    ],
  ])('%s: %#', (_title, schema, isInterpreted) => {
    expect(needsInterpreter(schema as never)).toBe(isInterpreted);
  });
});
