import { describe, expect, it } from 'vitest';
import { subject, tool } from '../../test/lint-subject.js';
import { lint } from '../lint.js';

describe('lint of a hostile server', () => {
  it('checks 10,000 tools, and keeps a bounded number of findings of each rule', () => {
    const tools = Array.from({ length: 10_000 }, (_, index) =>
      tool({ name: `tool ${index}`, description: '', annotations: {} }),
    );
    const { findings, omitted, counts } = lint(subject({ tools }));
    expect(counts.tools).toBe(10_000);
    expect(findings.filter(({ rule }) => rule === 'description-missing')).toHaveLength(1_000);
    expect(omitted['description-missing']).toBe(9_000);
  });

  it('checks a schema of 5 MB', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50_000 }, (_, index) => [
        `parameter-${index}`,
        { type: 'string', description: 'a'.repeat(60), default: 5, pattern: `^(a+)+${index}$` },
      ]),
    );
    const { findings } = lint(subject({ tools: [tool({ inputSchema: { type: 'object', properties } })] }));
    const found = new Set(findings.map(({ rule }) => rule));
    for (const rule of ['schema-size', 'tokens-tool', 'schema-cut', 'schema-invalid'])
      expect(found).toContain(rule);
  });

  it.each([
    ['a reference to itself', { $ref: '#' }],
    [
      'references in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
    ['schemas that are not objects', { properties: { a: 5, b: null, c: [] } }],
    [
      'keywords of wrong types',
      { properties: [], required: 'a', enum: {}, pattern: 5, $ref: 5, $schema: [] },
    ],
    [
      'a name of the prototype',
      { properties: JSON.parse('{"__proto__": {"type": "string"}, "constructor": {}}') },
    ],
  ])('checks %s', (_, schema) => {
    const inputSchema = { type: 'object', default: {}, ...schema };
    const hostile = tool({ inputSchema, outputSchema: inputSchema });
    expect(() => lint(subject({ tools: [hostile] }))).not.toThrow();
  });

  it('checks a schema that nests very deeply', () => {
    let schema: object = { type: 'string' };
    for (let depth = 0; depth < 5_000; depth++) schema = { type: 'array', items: schema };
    const { findings } = lint(
      subject({ tools: [tool({ inputSchema: { type: 'object', properties: { deep: schema } } })] }),
    );
    expect(findings.map(({ rule }) => rule)).toContain('schema-depth');
  });
});
