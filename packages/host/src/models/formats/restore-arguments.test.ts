import type { SchemaObject } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { restoreArguments } from './restore-arguments.js';
import { memberName } from './text/accepted-name.js';

const toolOf = (inputSchema: SchemaObject): { readonly inputSchema: SchemaObject } => ({ inputSchema });

describe('restoreArguments', () => {
  const tool = toolOf({
    type: 'object',
    properties: {
      path: { type: 'string' },
      lines: { type: 'integer' },
      encoding: { type: ['string', 'null'] },
      mode: { enum: ['a', null] },
      old: { type: 'string', nullable: true },
      any: {},
      filter: { $ref: '#/$defs/filter' },
      list: { type: 'array', items: { $ref: '#/$defs/filter' } },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      orNull: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      both: { allOf: [{ type: ['string', 'null'] }, { type: 'string' }] },
    },
    required: ['path'],
    $defs: { filter: { type: 'object', properties: { from: { type: 'string' }, to: { const: null } } } },
  });

  it('removes null from optional members that do not accept it', () => {
    expect(
      restoreArguments(tool, {
        path: 'a',
        lines: null,
        filter: { from: null, to: null },
        list: [{ from: null }, null, { from: 'x' }],
        either: null,
        both: null,
      }),
    ).toEqual({ path: 'a', filter: { to: null }, list: [{}, null, { from: 'x' }] });
  });

  it('keeps null that the schema accepts, and members that it does not know', () => {
    const args = { path: 'a', encoding: null, mode: null, old: null, any: null, orNull: null, unknown: null };
    expect(restoreArguments(tool, args)).toBe(args);
  });

  it('keeps null for a required member, so that the server names the problem', () => {
    const args = { path: null };
    expect(restoreArguments(tool, args)).toBe(args);
  });

  it('keeps null in lists, where its place counts', () => {
    const args = { list: [null] };
    expect(restoreArguments(tool, args)).toBe(args);
  });

  it('removes null from members of branches, even if their branch requires them', () => {
    const either = toolOf({
      type: 'object',
      oneOf: [
        { properties: { kind: { const: 'file' }, path: { type: 'string' } }, required: ['kind', 'path'] },
        { properties: { kind: { const: 'url' }, url: { type: 'string' } }, required: ['kind', 'url'] },
      ],
    });
    expect(restoreArguments(either, { kind: 'url', url: 'x', path: null })).toEqual({
      kind: 'url',
      url: 'x',
    });
  });

  it('removes null from members that a condition adds', () => {
    const conditional = toolOf({
      type: 'object',
      properties: { a: { type: 'string' } },
      if: { required: ['a'] },
      ...Object.fromEntries([['then', { properties: { b: { type: 'string' } }, required: ['b'] }]]),
      dependentSchemas: { a: { properties: { c: { type: 'string' } } } },
    });
    expect(restoreArguments(conditional, { b: null, c: null })).toEqual({});
  });

  it('gives members their own names again', () => {
    const odd = toolOf({
      type: 'object',
      properties: { $filter: { type: 'object', properties: { 'a b': { type: 'string' } } }, __proto__x: {} },
    });
    expect(restoreArguments(odd, { [memberName('$filter')]: { [memberName('a b')]: 'x' } })).toEqual({
      $filter: { 'a b': 'x' },
    });
    const unchanged = { $filter: { 'a b': 'x' } };
    expect(restoreArguments(odd, unchanged)).toBe(unchanged);
  });

  it('does not follow names to prototypes', () => {
    const args = JSON.parse('{"__proto__":{"x":null},"constructor":null,"lines":null}');
    const restored = restoreArguments(tool, args);
    expect(Object.keys(restored)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(restored)).toBe(Object.prototype);
  });

  it('ends for schemas that contain themselves, and for deep arguments', () => {
    const loop = toolOf({
      $ref: '#',
      allOf: [{ $ref: '#' }],
      properties: { a: { $ref: '#/properties/a' }, b: { $ref: '#' } },
    });
    let deep: object = { a: null };
    for (let level = 0; level < 500; level++) deep = { b: deep, a: null };
    expect(restoreArguments(loop, deep as never)).toBe(deep);
  });
});
