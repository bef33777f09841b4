import { describe, expect, it } from 'vitest';
import { takesAtMost } from '../../../../tooling/suite/effort.js';
import { OutputSchemas } from './output-schemas.js';

interface Judged {
  readonly problem: string | undefined;
  readonly reported: readonly string[];
}

async function judge(outputSchema: object, content: unknown): Promise<Judged> {
  const reported: string[] = [];
  const onError = (error: unknown): void => void reported.push((error as Error).message);
  const schemas = new OutputSchemas({ limit: 10, unverified: 'accept', onError });
  // Loads what is loaded once.
  schemas.remember([{ name: 'first', inputSchema: {}, outputSchema: {} }] as never);
  await schemas.problem('first', 1);
  schemas.remember([{ name: 't', inputSchema: {}, outputSchema }] as never);
  const problem = await schemas.problem('t', content);
  // Once more, as later calls do.
  expect(await schemas.problem('t', content)).toBe(problem);
  return { problem, reported };
}

const many = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));
const members = (length: number, make: (index: number) => unknown): object =>
  Object.fromEntries(many(length, (index) => [`p${index}`, make(index)]));
const nested = (
  levels: number,
  wrap: (inner: object) => object,
  innermost: object = { type: 'string' },
): object => {
  let schema = innermost;
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
};
/** Each level looks at the one below twice. */
const doubling = (levels: number, keyword: string): object => {
  const $defs: Record<string, object> = { d0: { type: 'string' } };
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { [keyword]: [{ $ref }, { $ref }] };
  }
  return { $ref: `#/$defs/d${levels}`, $defs };
};
const list = (parts: number): unknown => JSON.parse('['.repeat(parts) + ']'.repeat(parts));
/** A result that takes all the steps there are, each a plain one. */
const ordinary = many(500_000, () => 1);
/** Branches that differ only at the deepest level. */
const alike = {
  $defs: {
    node: {
      anyOf: ['a', 'b'].map((name) => ({
        properties: { next: { $ref: '#/$defs/node' }, [name]: { type: 'number' }, end: { type: 'number' } },
      })),
    },
  },
  $ref: '#/$defs/node',
};
const chain = nested(100, (next) => ({ next }), { end: 'x' });

type Row = readonly [title: string, schema: object, content: unknown, why: string];

const refused: readonly Row[] = [
  ['a remote reference', { $ref: 'https://a.example/s' }, 1, 'it refers to something outside itself'],
  [
    'a remote reference deep inside',
    { properties: { a: { items: { $ref: '//a.example/s' } } } },
    {},
    'outside itself',
  ],
  ['a file', { $ref: 'file:///etc/passwd' }, 1, 'outside itself'],
  ['a relative reference', { properties: { a: { $ref: 'other.json' } } }, {}, 'outside itself'],
  [
    'a relative reference under an identity',
    { $id: 'https://a.example/x', $ref: 'other' },
    {},
    'outside itself',
  ],
  ['a remote dynamic reference', { $dynamicRef: 'https://a.example/s#a' }, 1, 'outside itself'],
  ['a reference to nothing', { $ref: '#/$defs/none' }, 1, 'it refers to "#/$defs/none", which is not in it'],
  ['a dynamic reference to nothing', { $dynamicRef: '#a' }, 1, 'it refers to "#a", which is not in it'],
  [
    'an unknown dialect',
    { $schema: 'https://a.example/dialect' },
    1,
    'its dialect is not known: "https://a.example',
  ],
  ['a dialect that is none', { $schema: {} }, 1, 'its dialect is not known'],
  ['depth', nested(66, (not) => ({ not })), 1, 'it is nested deeper than 64'],
  ['deep allOf', nested(66, (inner) => ({ allOf: [inner] })), 1, 'it is nested deeper than 64'],
  [
    '20,000 properties',
    { properties: members(20_000, () => ({ type: 'string' })) },
    {},
    'it has more than 10000 parts',
  ],
  ['10,001 branches', { anyOf: many(10_001, () => ({})) }, 1, 'it has more than 10000 parts'],
  ['a giant choice', { enum: many(50_001, (index) => index) }, 1, 'it lists more than 50000 values'],
  ['a giant constant', { const: many(60_000, (index) => index) }, 1, 'it lists more than 50000 values'],
  [
    'a giant of a schema',
    { 'x-own': many(200_000, (index) => index) },
    1,
    'it holds more than 100000 values',
  ],
  ['a giant text', { description: 'x'.repeat(4_000_000) }, 1, 'it holds more than 100000 values'],
  ['^(a+)+$', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, 'a pattern repeats what repeats'],
  ['(a|aa)+$', { pattern: '(a|aa)+$' }, `${'a'.repeat(60)}!`, 'branches overlap'],
  ['(.*a){20}', { pattern: '(.*a){20}' }, 'a'.repeat(40), 'branches overlap'],
  [
    '([a-zA-Z]+)* as a name',
    { patternProperties: { '^([a-zA-Z]+)*$': {} } },
    { aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa1: 1 },
    'repeats what repeats',
  ],
  ['a*a*a*a*a*a*b', { pattern: 'a*a*a*a*a*a*b' }, 'a'.repeat(5_000), 'too many repeats that overlap'],
  ['many patterns', { allOf: many(300, () => ({ pattern: 'a+' })) }, 'a', 'it has more than 256 patterns'],
  [
    'long patterns',
    { allOf: many(9, () => ({ pattern: `${'[ab]x?'.repeat(160)}+` })) },
    'a',
    'its patterns are longer than 8192 characters',
  ],
  [
    'a tangled pattern',
    { pattern: `^(?:${many(120, (index) => `${String.fromCharCode(97 + (index % 26))}+x*`).join('|')})+$` },
    'a',
    'overlap|complicated',
  ],
  ['a part that is not a schema', { not: 'a' }, 1, 'schema/not must be object,boolean'],
  [
    'many types',
    { items: { type: many(9_000, () => 'string') } },
    many(50_000, () => 1),
    'schema/items/type must be a list of different types',
  ],
  ['a keyword of another kind', { minimum: '1' }, 1, 'schema/minimum must be number'],
];

const exhausting: readonly Row[] = [
  ['an anyOf chain of depth 24', doubling(24, 'anyOf'), 1, 'took too many steps'],
  ['an allOf chain of depth 24', doubling(24, 'allOf'), 'x', 'took too many steps'],
  ['a oneOf chain of depth 24', doubling(24, 'oneOf'), 1, 'took too many steps'],
  [
    '9,000 branches that all fit',
    { items: { allOf: many(9_000, () => true) } },
    many(100_000, () => 1),
    'took too many steps',
  ],
  [
    '9,000 branches of which none fits',
    { items: { not: { anyOf: many(9_000, () => false) } } },
    many(100_000, () => 1),
    'took too many steps',
  ],
  [
    '9,000 empty branches',
    { items: { allOf: many(9_000, () => ({})) } },
    many(100_000, () => 1),
    'took too many steps',
  ],
  ['a reference to itself', { $ref: '#' }, 1, 'took too many steps|call stack'],
  [
    'references in a circle',
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    1,
    'took too many steps|call stack',
  ],
  [
    'a dynamic reference to itself',
    { $dynamicAnchor: 'a', $dynamicRef: '#a' },
    1,
    'took too many steps|call stack',
  ],
  ['branches that look alike', alike, chain, 'took too many steps'],
  ['a deep result', { items: { $ref: '#' } }, list(100_000), 'took too many steps|call stack'],
  ['a large result', { items: { type: 'number' } }, many(500_000, () => 1), 'took too many steps'],
  [
    '100,000 members that must differ',
    { uniqueItems: true },
    many(100_000, (index) => index),
    'took too many steps',
  ],
  [
    'objects that must differ',
    { uniqueItems: true },
    many(50_000, (index) => ({ a: index, b: [index] })),
    'took too many steps',
  ],
  [
    'a choice of objects',
    { items: { enum: many(10_000, (index) => ({ a: index })) } },
    many(50_000, (index) => ({ a: index % 10_000 })),
    'took too many steps',
  ],
  [
    'multiples of next to nothing',
    { items: { multipleOf: 1e-300 } },
    many(50_000, () => 1.7e308),
    'took too many steps',
  ],
  [
    'unknown names',
    { additionalProperties: { type: 'number' } },
    members(60_000, (index) => index),
    'took too many steps',
  ],
  [
    'names by many patterns',
    { patternProperties: Object.fromEntries(many(200, (index) => [`^p.*${index}$`, true])) },
    members(5_000, () => 1),
    'took too many steps',
  ],
  ['a long text for its pattern', { pattern: '^.*x.*y$' }, 'x'.repeat(100_000), 'took too many steps'],
  [
    'what nobody looked at, again and again',
    {
      $ref: '#/$defs/p30',
      unevaluatedProperties: false,
      $defs: Object.fromEntries(
        many(31, (index) => [
          `p${index}`,
          {
            patternProperties: { p: true },
            ...(index > 0 && { anyOf: [{ $ref: `#/$defs/p${index - 1}` }] }),
          },
        ]),
      ),
    },
    members(3_000, () => 1),
    'took too many steps',
  ],
];

describe.each([
  ['a schema that is refused', refused],
  ['a check that is broken off', exhausting],
])('%s: returns the results and reports the reason once:', (_name, rows) => {
  it.each(rows)('%s', async (...[, schema, content, why]) => {
    const { problem, reported } = await judge(schema, content);
    expect(problem).toBeUndefined();
    expect(reported).toHaveLength(1);
    expect(reported[0]).toMatch(/^Results of the tool "t" are not checked by its output schema: /);
    if (why.includes('|')) expect(reported[0]).toMatch(new RegExp(why));
    else expect(reported[0]).toContain(why);
    const plain = { items: { type: 'number' } };
    await takesAtMost(
      20,
      () => judge(schema, content),
      () => judge(plain, ordinary),
    );
  });
});

it('branches that a constant tells apart take no longer for being deep', async () => {
  const node = (kind: number) => ({ properties: { next: { $ref: '#' }, kind: { const: kind } } });
  const received = await judge(
    { anyOf: [node(1), node(2)] },
    nested(200, (next) => ({ next, kind: 2 }), { kind: 3 }),
  );
  expect(received).toMatchObject({ problem: expect.stringContaining('/kind: must be 1'), reported: [] });
});

it('what is large and harmless is checked all the same', async () => {
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      properties: { id: { type: 'integer' }, mail: { pattern: '^[^@]+@[^@]+$' } },
      required: ['id'],
    },
  };
  const content = many(20_000, (id) => ({ id, mail: `user${id}@example.com` }));
  expect(await judge(schema, content)).toMatchObject({ problem: undefined, reported: [] });
  expect((await judge(schema, [...content, { id: 'x' }])).problem).toBe('#/20000/id: must be integer');
});

it('drops the oldest of many large schemas, and checks by those that are left', async () => {
  const schemas = new OutputSchemas({ limit: 10_000, unverified: 'accept', onError: () => undefined });
  for (let index = 0; index < 40; index++) {
    const outputSchema = { properties: members(9_000, () => ({ type: 'string' })) };
    schemas.remember([{ name: `t${index}`, inputSchema: {}, outputSchema }] as never);
  }
  const problems = await Promise.all(
    Array.from({ length: 40 }, (_, index) => schemas.problem(`t${index}`, { p0: 1 })),
  );
  const kept = problems.filter((problem) => problem !== undefined).length;
  expect(kept).toBeGreaterThan(5);
  expect(kept).toBeLessThan(30);
  expect(problems.slice(-kept)).not.toContain(undefined);
});
