import { describe, expect, it } from 'vitest';
import { growsInProportion } from '../../../tooling/suite/effort.js';
import { keywordRows, olderRows, unevaluatedRows } from '../test/schema-tables.js';
import { interpret, type SchemaDialect } from './interpreter.js';

function problemsOf(schema: unknown, value: unknown, dialect: SchemaDialect = '2020-12'): string[] {
  const issues = interpret(schema, { dialect, mostIssues: 10 })(value) ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function fits(schema: unknown, value: unknown, dialect: SchemaDialect = '2020-12'): boolean {
  return problemsOf(schema, value, dialect).length === 0;
}

describe.each([
  ['keywords', keywordRows],
  ['what nothing else looked at', unevaluatedRows],
  ['older dialects', olderRows],
])('%s', (_name, rows) => {
  it.each(rows)('$title ($dialect)', ({ schema, dialect, good, bad }) => {
    for (const value of good) expect(problemsOf(schema, value, dialect)).toEqual([]);
    for (const value of bad) expect(fits(schema, value, dialect)).toBe(false);
  });
});

it.each([
  ['of the whole schema', { $id: `https://example.com/${'a'.repeat(100_000)}`, $anchor: 'b' }],
  ['of a part', { $defs: { part: { $id: `https://example.com/${'a'.repeat(100_000)}`, $anchor: 'b' } } }],
  ['that builds on others', { $id: `${'a'.repeat(400)}/`, $defs: { part: { $id: 'b'.repeat(400) } } }],
])('an "$id" %s is bounded: every reference in it is looked up by it', (_, schema) => {
  expect(() => interpret(schema, { dialect: '2020-12', mostIssues: 1 })).toThrow(
    'longer than 512 characters',
  );
});

it('compiles each level once when references lead to every level', () => {
  const names = Array.from({ length: 4_500 }, (_, at) => [`p${at}`, { type: 'string' }]);
  let deep: object = { properties: Object.fromEntries(names) };
  for (let level = 0; level < 58; level++) deep = { allOf: [deep] };
  const allOf = Array.from({ length: 58 }, (_, at) => ({ $ref: `#/$defs/deep${'/allOf/0'.repeat(at)}` }));
  const before = process.memoryUsage().heapUsed;
  const check = interpret({ $defs: { deep }, allOf }, { dialect: '2020-12', mostIssues: 1 });
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(60);
  expect(check({ p1: 1 })).toHaveLength(1);
});

describe('a pointer in a reference', () => {
  it.each([
    ['~01', '~1'],
    ['~1', '/'],
    ['~0', '~'],
    ['~00', '~0'],
    ['~10~01', '/0~1'],
    ['a%20b', 'a b'],
    ['%7E1', '/'],
  ])('leads by %s to the member "%s"', (escaped, name) => {
    const schema = { $ref: `#/$defs/${escaped}`, $defs: { '/': false, '~': false, '~1': false } };
    Object.assign(schema.$defs, { [name]: { type: 'string' } });
    expect([fits(schema, 'text'), fits(schema, 1)]).toEqual([true, false]);
  });

  it.each(['#/__proto__', '#/$defs/constructor', '#/$defs/__proto__', '#/allOf/length'])(
    'leads nowhere by %s: only own members count',
    (reference) => {
      const schema = { $ref: reference, $defs: {}, allOf: [true] };
      expect(() => fits(schema, 1)).toThrow('which is not in it');
    },
  );
});

it('items that a branch looked at are evaluated', () => {
  const schema = { allOf: [{ prefixItems: [{ type: 'number' }, true] }], unevaluatedItems: false };
  expect([fits(schema, [1, 2]), fits(schema, [1, 2, 3])]).toEqual([true, false]);
  const nested = { allOf: [{ allOf: [{ items: { type: 'number' } }] }], unevaluatedItems: false };
  expect([fits(nested, [1, 2, 3]), fits(nested, ['1'])]).toEqual([true, false]);
  const chosen = { anyOf: [false, { items: { type: 'number' } }], unevaluatedItems: false };
  expect([fits(chosen, [1, 2, 3]), fits(chosen, ['1'])]).toEqual([true, false]);
});

describe('dynamic references', () => {
  it('may be as many as their targets', async () => {
    const checkOf = (places: number) => {
      const names = Array.from({ length: places }, (_, at) => `place${at}`);
      const $defs = Object.fromEntries(
        names.map((name) => [
          name,
          { $id: `https://example.com/${name}`, $dynamicAnchor: 'x', $dynamicRef: '#x' },
        ]),
      );
      const all = names.map((name) => ({ $ref: `#/$defs/${name}` }));
      return interpret({ $defs, anyOf: [{ type: 'string' }, ...all] }, { dialect: '2020-12', mostIssues: 1 });
    };
    // The number of targets of all references together would grow with the square.
    await growsInProportion(375, checkOf);
    expect(checkOf(3_000)('a')).toBeUndefined();
  });

  const tree = {
    $id: 'https://t.example/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { kids: { type: 'array', items: { $dynamicRef: '#node' } } },
  };
  const strict = {
    $id: 'https://t.example/strict',
    $dynamicAnchor: 'node',
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: { tree },
  };

  it('lead to the outermost schema of that name', () => {
    expect(fits(tree, { kids: [{ kids: [], odd: 1 }] })).toBe(true);
    expect(fits(strict, { kids: [{ kids: [] }] })).toBe(true);
    expect(problemsOf(strict, { kids: [{ odd: 1 }] })).toEqual(['kids.0.odd: is not a known property']);
  });

  const number = { $dynamicAnchor: 'x', type: 'number' };
  const text = { $dynamicAnchor: 'x', type: 'string' };
  const at = (name: string, rest: object) => ({ $id: `https://s.example/${name}`, ...rest });

  it('are not led by a resource of a branch that did not fit', () => {
    const other = at('other', { type: 'null', $defs: { x: number } });
    const user = at('user', { $dynamicRef: '#x', $defs: { x: text } });
    for (const keyword of ['anyOf', 'oneOf']) {
      const schema = at('root', { [keyword]: [{ $ref: 'other' }, { $ref: 'user' }], $defs: { other, user } });
      expect(fits(schema, 'text')).toBe(true);
      expect(fits(schema, 1)).toBe(false);
    }
  });

  it('stay plain when their own resource has another anchor of that name', () => {
    const inner = at('inner', { $dynamicRef: '#x', $defs: { x: { $anchor: 'x', type: 'string' } } });
    const schema = at('root', { $ref: 'inner', $defs: { inner, x: number } });
    expect([fits(schema, 'text'), fits(schema, 1)]).toEqual([true, false]);
  });

  it('leave "$ref" to the same anchor in its own resource', () => {
    const inner = at('inner', { $ref: '#x', $defs: { x: text } });
    const unused = { properties: { a: { $dynamicRef: '#x' } } };
    const schema = at('root', { $ref: 'inner', ...unused, $defs: { inner, x: number } });
    expect([fits(schema, 'text'), fits(schema, 1)]).toEqual([true, false]);
  });

  it('are led by a resource that was entered by a reference into it', () => {
    const third = at('third', { $dynamicRef: '#x', $defs: { x: text } });
    const other = at('other', { $defs: { y: { $ref: 'third' }, x: number } });
    const schema = at('root', { $ref: 'other#/$defs/y', $defs: { other, third } });
    expect([fits(schema, 'text'), fits(schema, 1)]).toEqual([false, true]);
  });

  it('are plain references when the anchor is not dynamic', () => {
    expect(fits({ $dynamicRef: '#s', $defs: { s: { $anchor: 's', type: 'string' } } }, 1)).toBe(false);
  });
});

describe('reasons', () => {
  it.each<readonly [unknown, unknown, readonly string[]]>([
    [
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'null' } } }] },
      { a: 1 },
      [': must be string', 'a: must be null', ': must match a schema in anyOf'],
    ],
    [
      { allOf: [{ anyOf: [{ required: ['x'] }, { required: ['a'] }] }, { required: ['b'] }] },
      { a: 1 },
      ['b: is required'],
    ],
    [{ oneOf: [{}, {}] }, 1, [': must match exactly one schema in oneOf']],
    [JSON.parse('{"if":true,"then":{"minimum":3}}'), 1, [': must be >= 3', ': must match "then" schema']],
    [{ items: { items: { type: 'string' } } }, [[], ['x', 1]], ['1.1: must be string']],
    [{ not: {} }, 1, [': must NOT be valid']],
    [{ uniqueItems: true }, [1, 2, 1], [': must NOT have duplicate items (items ## 0 and 2 are identical)']],
    [false, 1, [': boolean schema is false']],
  ])('%j, %j', (schema, value, reasons) => {
    expect(problemsOf(schema, value)).toEqual(reasons);
  });
});

describe('a schema is rejected that', () => {
  it.each<readonly [string, unknown, RegExp]>([
    ['is none', 'string', /it is neither an object nor true or false/],
    [
      'holds none where one belongs',
      { properties: { a: null } },
      /schema\/properties\/a must be object,boolean/,
    ],
    [
      'has a keyword of another kind',
      { items: { minimum: 'three' } },
      /schema\/items\/minimum must be number/,
    ],
    ['refers to elsewhere', { $ref: 'https://t.example/x' }, /it refers to something outside itself/],
    ['refers to nothing', { $ref: '#/$defs/none' }, /it refers to "#\/\$defs\/none", which is not in it/],
    ['refers to a prototype', { $ref: '#/constructor' }, /which is not in it/],
    ['can take forever', { pattern: '^(a+)+$' }, /a pattern repeats what repeats/],
    ['can take forever on names', { patternProperties: { '(a|a)*$': true } }, /branches overlap/],
    [
      'has too many patterns',
      { allOf: Array.from({ length: 257 }, () => ({ pattern: 'a' })) },
      /more than 256 patterns/,
    ],
    ['has too many parts', { anyOf: Array.from({ length: 10_001 }, () => ({})) }, /more than 10000 parts/],
    [
      'lists too much',
      { enum: Array.from({ length: 50_001 }, (_, index) => index) },
      /more than 50000 values/,
    ],
    ['has a list that is none', { required: 'a' }, /schema\/required must be a list of property names/],
    ['has an empty union', { oneOf: [] }, /schema\/oneOf must be a list with at least one schema/],
    ['divides by nothing', { multipleOf: 0 }, /multipleOf must be a number above 0/],
    ['counts in parts', { minLength: 1.5 }, /minLength must be a whole number/],
    ['is recursive in the manner of 2019', { $recursiveRef: '#' }, /\$recursiveRef is not supported/],
  ])('%s', (_title, schema, reason) => {
    expect(() => interpret(schema, { dialect: '2019-09', mostIssues: 10 })).toThrow(reason);
  });
});
