import { describe, expect, it } from 'vitest';
import { keywordRows, olderRows, type SchemaRow, unevaluatedRows } from '../../test/schema-tables.js';
import { interpret } from '../interpreter.js';
import { inlineReferences } from './inline.js';

const text = { type: 'string' };
const ref = (name: string, more: object = {}) => ({ $ref: `#/$defs/${name}`, ...more });
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const inline = (schema: object) => inlineReferences(schema as never, '2020-12');

const node = object({ kids: { type: 'array', items: ref('node') } });
/** A definition for each level, with two references to the next one: 2^levels copies. */
const doubling = (levels: number) =>
  object(
    { a: ref('d0') },
    {
      $defs: Object.fromEntries(
        Array.from({ length: levels }, (_, at) => [
          `d${at}`,
          at === levels - 1 ? text : object({ a: ref(`d${at + 1}`), b: ref(`d${at + 1}`) }),
        ]),
      ),
    },
  );

describe('a reference', () => {
  it.each<[string, object, object]>([
    ['at the root', { ...ref('a'), $defs: { a: object({ x: text }) } }, object({ x: text })],
    ['in a property', object({ a: ref('a') }, { $defs: { a: text } }), object({ a: text })],
    [
      'in each keyword',
      {
        anyOf: [ref('a'), { items: ref('a') }],
        not: ref('a'),
        prefixItems: [text, ref('a')],
        $defs: { a: text },
      },
      { anyOf: [text, { items: text }], not: text, prefixItems: [text, text] },
    ],
    ['to a reference', object({ a: ref('a') }, { $defs: { a: ref('b'), b: text } }), object({ a: text })],
    [
      'from two sides',
      object({ a: ref('a'), b: ref('b') }, { $defs: { a: object({ c: ref('c') }), b: ref('c'), c: text } }),
      object({ a: object({ c: text }), b: text }),
    ],
    [
      'to an anchor, which is kept',
      object({ a: { $ref: '#t' } }, { $defs: { a: { $anchor: 't', type: 'string' }, b: text } }),
      object({ a: text }, { $defs: { a: { $anchor: 't', type: 'string' } } }),
    ],
    [
      'to another property',
      object({ a: object({ x: text }), b: { $ref: '#/properties/a' } }),
      object({ a: object({ x: text }), b: object({ x: text }) }),
    ],
    [
      'to a place that is not a keyword',
      object({ a: { $ref: '#/components/a' } }, { components: { a: text } }),
      object({ a: text }, { components: { a: text } }),
    ],
    [
      'to a definition with definitions of its own',
      object(
        { a: ref('a') },
        { $defs: { a: object({ x: { $ref: '#/$defs/a/$defs/in' } }, { $defs: { in: text } }) } },
      ),
      object({ a: object({ x: text }) }),
    ],
  ])('%s is replaced', (_title, schema, inlined) => {
    const before = JSON.stringify(schema);
    expect(inline(schema)).toEqual(inlined);
    expect(JSON.stringify(schema)).toBe(before);
  });

  it.each<[string, object]>([
    ['to the root', object({ a: { $ref: '#' } })],
    ['to itself', { ...ref('a'), $defs: { a: ref('a') } }],
    ['to a recursive definition', object({ a: ref('node') }, { $defs: { node } })],
    [
      'in a schema with an id inside',
      object({ a: ref('a') }, { $defs: { a: { $id: 'https://t.example' } } }),
    ],
    [
      'in a schema with dynamic references',
      object({ a: ref('a'), b: { $dynamicRef: '#n' } }, { $defs: { a: text } }),
    ],
    ['that is a name', object({ $ref: text }, { default: { $ref: '#/$defs/a' } })],
  ])('%s stays', (_title, schema) => {
    const inlined = inline(schema);
    expect(inlined).toEqual(schema);
  });

  it('returns the same object for a schema without references', () => {
    const schema = object({ a: text }, { $defs: { unused: text } });
    expect(inline(schema)).toBe(schema);
  });

  it('to a recursive definition is replaced once at the root, and keeps the definitions in use', () => {
    const schema = {
      ...ref('node'),
      $defs: { node: object({ kids: { items: ref('node') }, a: ref('a') }), a: text, unused: text },
    };
    const flat = object({ kids: { items: ref('node') }, a: text });
    expect(inline(schema)).toEqual({ ...flat, $defs: { node: flat } });
  });

  it('in a circle of definitions is replaced, except the one that closes the circle', () => {
    const schema = object({ a: ref('a') }, { $defs: { a: ref('b'), b: object({ c: ref('a') }) } });
    const flat = object({ c: ref('a') });
    expect(inline(schema)).toEqual(object({ a: ref('a') }, { $defs: { a: flat } }));
  });

  it('keeps the definitions that references with other names may lead to', () => {
    const anchored = { $anchor: 'n', properties: { kids: { items: { $ref: '#n' } } } };
    const schema = object({ a: ref('a'), n: { $ref: '#n' } }, { $defs: { a: text, n: anchored } });
    expect(inline(schema)).toEqual(
      object({ a: text, n: { $ref: '#n' } }, { $defs: { a: text, n: anchored } }),
    );
  });
});

describe('keywords beside a reference', () => {
  const target = { type: 'string', title: 'Target', description: 'Of the target' };

  it('replace the annotations of the target', () => {
    const schema = object(
      { a: ref('a', { description: 'Own', default: 'x', 'x-order': 1 }) },
      { $defs: { a: target } },
    );
    const a = { type: 'string', title: 'Target', description: 'Own', default: 'x', 'x-order': 1 };
    expect(inline(schema)).toEqual(object({ a }));
  });

  it('that the target has as well are not repeated', () => {
    const schema = { type: 'object', ...ref('a'), $defs: { a: object({ x: text }) } };
    expect(inline(schema)).toEqual(object({ x: text }));
  });

  it('that assert something are combined with the target by allOf', () => {
    const schema = object(
      { a: ref('a', { maxLength: 3, allOf: [{ minLength: 1 }] }) },
      { $defs: { a: target } },
    );
    expect(inline(schema)).toEqual(object({ a: { maxLength: 3, allOf: [{ minLength: 1 }, target] } }));
  });

  it('assert nothing in draft-07', () => {
    const schema = object(
      { a: { $ref: '#/definitions/a', maxLength: 3, description: 'Own' } },
      { definitions: { a: target } },
    );
    expect(inlineReferences(schema as never, 'draft-07')).toEqual(
      object({ a: { ...target, description: 'Own' } }),
    );
  });
});

describe('limits', () => {
  it('keeps references beyond a thousand added schemas', () => {
    const schema = doubling(16);
    const inlined = JSON.stringify(inline(schema));
    expect(inlined.length).toBeLessThan(100_000);
    expect(inlined.match(/"type":"string"/g)?.length).toBeGreaterThan(100);
    const check = interpret(JSON.parse(inlined), { dialect: '2020-12', mostIssues: 1 });
    expect(check({ a: { b: { a: { b: {} } } } })).toBeUndefined();
    expect(check({ a: { b: { a: { b: 1 } } } })).toBeDefined();
  });

  it('counts listed values', () => {
    const choices = { enum: Array.from({ length: 400 }, (_, value) => value) };
    const names = Array.from({ length: 10 }, (_, at) => `p${at}`);
    const schema = object(Object.fromEntries(names.map((name) => [name, ref('a')])), {
      $defs: { a: choices },
    });
    expect(JSON.stringify(inline(schema)).match(/"\$ref"/g)).toHaveLength(7);
  });

  it('nests no deeper than schemas may', () => {
    let deep: object = text;
    for (let level = 0; level < 40; level++) deep = object({ a: deep });
    let shallow: object = ref('deep');
    for (let level = 0; level < 30; level++) shallow = object({ b: shallow });
    const schema = object({ b: shallow, c: ref('deep') }, { $defs: { deep } });
    expect(inline(schema)).toEqual(object({ b: shallow, c: deep }, { $defs: { deep } }));
  });
});

describe('values', () => {
  const rows: readonly SchemaRow[] = [...keywordRows, ...unevaluatedRows, ...olderRows];
  const own = rows.filter(({ dialect, schema }) => dialect !== '2019-09' && typeof schema === 'object');
  it.each(own)('are judged alike for $title ($dialect)', ({ dialect, schema, good, bad }) => {
    const inlined = inlineReferences(schema as never, dialect as '2020-12');
    const check = interpret(inlined, { dialect, mostIssues: 1 });
    expect(good.map((value) => check(value) === undefined)).toEqual(good.map(() => true));
    expect(bad.map((value) => check(value) === undefined)).toEqual(bad.map(() => false));
  });
});
