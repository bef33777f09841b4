import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { OutputSchemas } from './output-schemas.js';

async function judge(
  outputSchema: object,
  content: unknown,
): Promise<{ problem: string | undefined; reported: string[] }> {
  const reported: string[] = [];
  const schemas = new OutputSchemas({
    limit: 10,
    unverified: 'accept',
    onError: (error) => reported.push((error as Error).message),
  });
  schemas.remember([{ name: 't', inputSchema: {}, outputSchema: outputSchema as never }]);
  const problem = await schemas.problem('t', content);
  // Once more, as later calls do.
  expect(await schemas.problem('t', content)).toBe(problem);
  return { problem, reported };
}

describe('a result', () => {
  it.each([
    [{ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }, { a: 1 }, undefined],
    [{ type: 'object', properties: { a: { type: 'number' } } }, { a: 'x' }, '#/a: must be number'],
    [{ type: 'object', required: ['a'] }, {}, '#/a: is required'],
    [
      { properties: { id: { type: 'integer' } } },
      JSON.parse('{ "id": 9007199254740993 }'),
      '#/id: must be from -(2^53 - 1) to 2^53 - 1: larger integers are read as other numbers',
    ],
    [{ properties: { id: { type: 'number' } } }, JSON.parse('{ "id": 9007199254740993 }'), undefined],
    [{ properties: { id: { type: ['integer', 'null'] } } }, { id: 2 ** 53 - 1 }, undefined],
    [
      { type: 'array', prefixItems: [{ type: 'string' }] },
      [1],
      '#/0: must be string',
      '2026-07-28/basic/index/dialect-2020-12',
      '2026-07-28/basic/index/dialect-default',
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] },
      [1],
      '#/0: must be string',
      '2026-07-28/basic/index/dialect-named',
      '2026-07-28/basic/index/dialect-followed',
    ],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 1, '#: must be string'],
    [{ $id: 'https://a.example/s', $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x', undefined],
    [{ type: 'string', format: 'email' }, 'no mail', undefined],
    [{ type: 'string', pattern: '^a+$' }, 'b', '#: must match pattern "^a+$"'],
    [{ const: { $ref: 'https://a.example' } }, { $ref: 'https://a.example' }, undefined],
    [{ properties: { __proto__: false } }, { a: 1 }, undefined],
  ])('%j, %j', async (...[schema, content, problem, ...ids]) => {
    shows(...ids);
    expect(await judge(schema, content)).toEqual({ problem, reported: [] });
  });
});

describe('a pattern that is not ECMAScript', () => {
  const text = (pattern: string) => ({ type: 'string', pattern });
  const properties = (members: object) => ({ type: 'object', properties: members });

  it.each<[string, object, unknown, unknown]>([
    ['a property', properties({ a: text('(?i)^x'), b: { type: 'number' } }), { a: 'y', b: 1 }, { b: 'x' }],
    [
      'an escape that "u" rejects',
      properties({ a: text('^https\\:'), b: text('^a') }),
      { a: 'y', b: 'a' },
      { b: 'x' },
    ],
    [
      'names',
      { patternProperties: { '(?i)^x-': { type: 'string' } }, additionalProperties: false, required: ['a'] },
      { a: 1, 'X-b': 1 },
      { b: 1 },
    ],
    [
      'names beside unevaluatedProperties',
      { patternProperties: { '(?<n>a)(?<n>b)': true }, unevaluatedProperties: false, required: ['a'] },
      { a: 1 },
      {},
    ],
    ['a negation', { not: text('(?i)x'), type: ['string', 'null'] }, 'y', 1],
    ['one of several', { oneOf: [text('(?i)x'), text('^y')], maxLength: 3 }, 'y', 'long'],
    ['a condition', { if: text('(?i)x'), else: false, type: 'string' }, 'y', 1],
    ['the members of a list', { contains: text('(?i)x'), maxContains: 1, minItems: 2 }, ['y', 'z'], ['x']],
    [
      'a definition',
      { ...properties({ a: { $ref: '#/$defs/a' } }), $defs: { a: text('(?i)x') } },
      { a: 'y' },
      { a: 1 },
    ],
  ])(
    'is left unchecked for %s, once with a warning, and all else is checked',
    async (...[, schema, good, bad]) => {
      const warning = expect.stringMatching(
        /^Results of the tool "t" are checked by its output schema except for patterns that are not ECMAScript regular expressions with the flag "u": "/,
      );
      expect(await judge(schema, good)).toEqual({ problem: undefined, reported: [warning] });
      expect(await judge(schema, bad)).toEqual({ problem: expect.any(String), reported: [warning] });
    },
  );

  it('is named without control characters, with two others at most', async () => {
    const patterns = ['(?i)\u001b[31m', '(?P<a>b)', '\\A', '\\Z'].map((pattern, index) => [
      `p${index}`,
      text(pattern),
    ]);
    const { reported } = await judge(properties(Object.fromEntries(patterns)), {});
    expect(reported[0]).toMatch(/: "\(\?i\)\\u001b\[31m", "\(\?P<a>b\)", "\\\\A" and others\.$/);
  });
});

it('a large result is checked by a schema that looks at each value a few times', async () => {
  const schema = {
    items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/n' }] },
    $defs: { n: { type: 'number' } },
  };
  const content = Array.from({ length: 50_000 }, (_, index) => index);
  expect(await judge(schema, content)).toEqual({ problem: undefined, reported: [] });
});

it('the schema that was given is not changed', async () => {
  const schema = Object.freeze({
    $ref: '#/$defs/a',
    $defs: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
  });
  expect((await judge(schema, 'x')).reported).toEqual([]);
});

it('keeps no more schemas than it may', () => {
  const schemas = new OutputSchemas({ limit: 2, unverified: 'accept', onError: () => undefined });
  const tool = (name: string, outputSchema?: object) => ({
    name,
    inputSchema: {},
    ...(outputSchema && { outputSchema }),
  });
  schemas.remember([tool('a', {}), tool('b', {}), tool('c', {}), tool('d')] as never);
  expect(['a', 'b', 'c', 'd'].map((name) => schemas.knows(name))).toEqual([false, true, true, false]);
  schemas.remember([tool('b')] as never);
  expect(schemas.knows('b')).toBe(false);
  schemas.forget();
  expect(schemas.knows('c')).toBe(false);
});

it('keeps no more of large schemas than it may', async () => {
  const reported: string[] = [];
  const schemas = new OutputSchemas({
    limit: 1_000,
    unverified: 'accept',
    onError: (error) => reported.push((error as Error).message),
  });
  const large = (parts: number) => ({ enum: Array.from({ length: parts }, (_, index) => index) });
  const tool = (name: string, parts: number) => ({ name, inputSchema: {}, outputSchema: large(parts) });
  schemas.remember([tool('huge', 100_001)] as never);
  expect(await schemas.problem('huge', 1)).toBeUndefined();
  expect(reported).toEqual([
    'Results of the tool "huge" are not checked by its output schema: it holds more than 100000 values.',
  ]);
  for (let index = 0; index < 12; index++) schemas.remember([tool(`t${index}`, 90_000)] as never);
  expect(['t0', 't6', 't7', 't11'].map((name) => schemas.knows(name))).toEqual([false, false, true, true]);
});

describe('with "reject"', () => {
  const strict = (outputSchema: object) => {
    const schemas = new OutputSchemas({
      limit: 10,
      unverified: 'reject',
      onError: (error) => expect.unreachable(String(error)),
    });
    schemas.remember([{ name: 't', inputSchema: {}, outputSchema: outputSchema as never }]);
    return schemas;
  };

  it('rejects every result of a tool with a schema that cannot be used, and names tool, reason and option', async () => {
    const schemas = strict({ $ref: 'https://a.example/s' });
    for (const content of [1, {}])
      await expect(async () => await schemas.problem('t', content)).rejects.toMatchObject({
        reason: 'invalid-answer',
        message:
          'The result of the tool "t" cannot be checked by its output schema: it refers to something outside itself. ' +
          'To accept results that are not checked, connect with unverifiedOutput: "accept".',
      });
  });

  it('rejects a result that takes too long to check, and checks others', async () => {
    shows('2026-07-28/basic/index/schema-bounds');
    const schemas = strict({ items: { type: 'number' } });
    const large = Array(500_000).fill(1);
    await expect(async () => await schemas.problem('t', large)).rejects.toThrow('took too many steps');
    expect(await schemas.problem('t', [1])).toBeUndefined();
    expect(await schemas.problem('t', ['x'])).toBe('#/0: must be number');
  });

  it('there is no third way', () => {
    expect(
      () => new OutputSchemas({ limit: 1, unverified: 'maybe' as never, onError: () => undefined }),
    ).toThrow('unverifiedOutput must be "accept" or "reject", not "maybe".');
  });
});

it('of a page with more schemas than are kept, no more than the last are looked at', () => {
  const schemas = new OutputSchemas({ limit: 10_000, unverified: 'accept', onError: () => {} });
  let looks = 0;
  const heavy = (values: readonly number[]) =>
    new Proxy(
      { enum: values },
      {
        ownKeys: (target) => {
          looks++;
          return Reflect.ownKeys(target);
        },
      },
    );
  const names = Array.from({ length: 80 }, (_, index) => `t${index}`);
  const page = (parts: number) => {
    const values = Array.from({ length: parts }, () => 1);
    return names.map((name) => ({ name, inputSchema: {}, outputSchema: heavy(values) })) as never;
  };
  schemas.remember(page(90_000));
  expect(names.filter((name) => schemas.knows(name))).toEqual(names.slice(-5));
  expect(looks).toBe(6);
  schemas.remember(page(110_000));
  expect(names.filter((name) => schemas.knows(name))).toEqual(names.slice(-5));
  expect(looks).toBe(11);
});
