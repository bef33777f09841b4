import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { keywordRows, olderRows, type SchemaRow, unevaluatedRows } from '../test/schema-tables.js';
import { inlineReferences } from './index.js';
import { interpret, type SchemaDialect } from './interpreter.js';

const options = { strict: false, validateFormats: false, ownProperties: true, logger: false } as const;
const compilers = {
  '2020-12': () => new Ajv2020(options),
  '2019-09': () => new Ajv2019(options),
  'draft-07': () => new Ajv({ ...options, ignoreKeywordsWithRef: true }),
};

function compiled(schema: unknown, dialect: SchemaDialect): (value: unknown) => boolean {
  const check = compilers[dialect]().compile(schema as object);
  return (value) => check(value) as boolean;
}

/** The rows in which the compiler deviates from JSON Schema and the interpreter does not, with the reason. */
const departures: ReadonlyMap<string, string> = new Map([
  [
    'multiples',
    'division by multipleOf must give a whole number: 0.07 is 7 times 0.01, not of its double value',
  ],
  ['multiples of large numbers', 'the same; the compiler reads 3e21 as 3'],
  ['whole numbers', 'an integer beyond 2^53 - 1 may have been another number in the text'],
  ['an identity inside', '"#" in a schema with an "$id" is that schema; the compiler does not resolve it'],
  ['a tuple and one that is there', 'contains requires at least one member, even in an empty list'],
  ['items that contains found', 'contains evaluates only the items that match'],
  ['contains looks at nothing for 2019', 'before 2020-12 contains evaluated no item'],
]);

describe('compiler and interpreter', () => {
  const rows: readonly SchemaRow[] = [...keywordRows, ...unevaluatedRows, ...olderRows];
  it.each(rows.filter(({ title }) => !departures.has(title)))('agree on $title ($dialect)', (row) => {
    const check = compiled(row.schema, row.dialect);
    expect(row.good.map(check)).toEqual(row.good.map(() => true));
    expect(row.bad.map(check)).toEqual(row.bad.map(() => false));
  });

  it.each(rows.filter(({ title }) => departures.has(title)))('disagree on $title ($dialect)', (row) => {
    const agrees = (): boolean => {
      const check = compiled(row.schema, row.dialect);
      return row.good.every(check) && !row.bad.some(check);
    };
    expect(attempt(agrees)).toBe(false);
  });
});

function attempt(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

/** Random schemas, and values that often fit them. */
class Maker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  pick<T>(list: readonly T[]): T {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[(this.#state >>> 8) % list.length] as T;
  }

  value(depth: number): unknown {
    const kinds = depth === 0 ? ['plain'] : ['plain', 'list', 'object', 'object'];
    const kind = this.pick(kinds);
    if (kind === 'plain') return this.pick([0, 1, 2, 1.5, 'a', 'ab', 'abc', true, null]);
    const parts = Array.from({ length: this.pick([0, 1, 2, 3]) }, () => this.value(depth - 1));
    if (kind === 'list') return parts;
    return Object.fromEntries(parts.map((part) => [this.pick(['a', 'b', 'c']), part]));
  }

  schema(depth: number): unknown {
    if (depth === 0) return this.pick([true, false, { type: 'number' }, { const: 1 }, { minLength: 2 }, {}]);
    const schema: Record<string, unknown> = {};
    for (let count = this.pick([1, 2, 3]); count > 0; count--) this.#keyword(schema, depth - 1);
    return schema;
  }

  #keyword(schema: Record<string, unknown>, depth: number): void {
    const some = (): unknown[] => Array.from({ length: this.pick([1, 2]) }, () => this.schema(depth));
    const named = (): object => Object.fromEntries(some().map((one) => [this.pick(['a', 'b', 'c']), one]));
    const makers: Record<string, () => unknown> = {
      type: () =>
        this.pick(['object', 'array', 'number', 'string', ['object', 'null'], ['array', 'integer']]),
      enum: () => [this.value(1), this.value(1), this.value(0)],
      const: () => this.value(1),
      minimum: () => this.pick([1, 2]),
      maxLength: () => this.pick([1, 2]),
      pattern: () => this.pick(['^a', 'b$', '^[ab]*$']),
      properties: named,
      patternProperties: () => ({ [this.pick(['^a', 'b'])]: this.schema(depth) }),
      additionalProperties: () => this.schema(depth),
      required: () => [this.pick(['a', 'b'])],
      propertyNames: () => ({ enum: ['a', this.pick(['b', 'c'])] }),
      maxProperties: () => this.pick([1, 2]),
      dependentRequired: () => ({ a: ['b'] }),
      dependentSchemas: () => ({ a: this.schema(depth) }),
      items: () => this.schema(depth),
      prefixItems: some,
      uniqueItems: () => true,
      minItems: () => this.pick([1, 2]),
      allOf: some,
      anyOf: some,
      oneOf: some,
      not: () => this.schema(depth),
      if: () => this.schema(depth),
      [['th', 'en'].join('')]: () => this.schema(depth),
      else: () => this.schema(depth),
      $ref: () => this.pick(['#/$defs/a', '#/$defs/b']),
    };
    const name = this.pick(Object.keys(makers));
    schema[name] = makers[name]?.();
  }
}

it('interprets 600 random schemas like the compiler, with references and with references inlined, with 8 values each', () => {
  const maker = new Maker(20_261_120);
  const ajv = new Ajv2020(options);
  const differing: string[] = [];
  let fitting = 0;
  for (let round = 0; round < 600; round++) {
    const $defs = { a: maker.schema(1), b: { type: ['object', 'number'] } };
    if (JSON.stringify($defs).includes('$ref')) continue;
    const schema = { ...(maker.schema(3) as object), $defs };
    const check = ajv.compile(schema);
    ajv.removeSchema(schema);
    const reading = { dialect: '2020-12', mostIssues: 10 } as const;
    const inspect = interpret(schema, reading);
    const inspectInlined = interpret(inlineReferences(schema, '2020-12'), reading);
    for (let count = 0; count < 8; count++) {
      const value = maker.value(3);
      const expected = check(value) as boolean;
      if (expected) fitting++;
      const found = [inspect(value), inspectInlined(value)].map((issues) => issues === undefined);
      if (found.includes(!expected)) differing.push(JSON.stringify({ schema, value, expected }));
    }
  }
  expect(differing).toEqual([]);
  expect(fitting).toBeGreaterThan(900);
}, 30_000);
