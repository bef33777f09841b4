import type { StandardShape } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Shaped, shapeCheck } from './shapes.js';

const hits = z.object({ hits: z.array(z.object({ id: z.number(), rank: z.number().default(0) })) });

/** A schema that counts the values its library sees, with JSON Schema unless it is left out. */
function counted(inner: StandardShape, { withJson = true, vendor = 'zod' } = {}) {
  const seen: unknown[] = [];
  const standard: object = inner['~standard'];
  const shape = {
    '~standard': {
      ...standard,
      vendor,
      ...(!withJson && { jsonSchema: undefined }),
      validate: (value: unknown) => {
        seen.push(value);
        return inner['~standard'].validate(value);
      },
    },
  } as StandardShape;
  return { shape, seen };
}

function many<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}

function problemOf({ problem }: Shaped): string | undefined {
  return problem;
}

describe('a check by a schema library', () => {
  it('refuses a value with more problems than a library may report, before the library sees it', async () => {
    const { shape, seen } = counted(hits);
    const problem = problemOf(await shapeCheck(shape)({ hits: many(20_000, () => ({})) }, 'server'));
    expect(problem).toMatch(/^more than 10000 values do not fit the schema, .+; hits\.0\.\w+: is required/);
    expect(seen).toEqual([]);
  });

  it('returns what the library makes of a large value that fits', async () => {
    const value = await shapeCheck(hits)({ hits: many(20_000, (id) => ({ id })) }, 'server');
    expect(value).toEqual({ value: { hits: many(20_000, (id) => ({ id, rank: 0 })) } });
  });

  it('leaves a small value to the library, whatever is wrong with it', async () => {
    const { shape, seen } = counted(hits);
    expect(problemOf(await shapeCheck(shape)({ hits: [{ rank: 1 }] }, 'server'))).toContain('hits.0.id: ');
    expect(seen).toHaveLength(1);
  });

  it('leaves a value of the author to the library, whatever its size', async () => {
    const { shape, seen } = counted(hits, { withJson: false });
    const value = { hits: many(60_000, () => ({ id: 'x' })) };
    expect(problemOf(await shapeCheck(shape)(value, 'author'))).toContain('hits.0.id: ');
    expect(seen).toHaveLength(1);
  });

  it('refuses a small value of a union that holds itself, if the library tries each branch to its end', async () => {
    const node: z.ZodType = z.lazy(() =>
      z.union([z.object({ a: node }), z.object({ a: node, b: node.optional() })]),
    );
    const { shape, seen } = counted(z.object({ node }), { vendor: 'other' });
    let value: unknown = 1;
    for (let level = 0; level < 30; level++) value = { a: value };
    const problem = problemOf(await shapeCheck(shape)({ node: value }, 'server'));
    expect(problem).toBe('the value takes too long to check; send less of it');
    expect(seen).toEqual([]);
  });

  it('bounds the size of values for a library without JSON Schema, and says what to do', async () => {
    const { shape, seen } = counted(z.object({ list: z.array(z.number()) }), { withJson: false });
    const check = shapeCheck(shape);
    expect(problemOf(await check({ list: many(90_000, () => 1) }, 'server'))).toBeUndefined();
    expect(seen).toHaveLength(1);
    expect(problemOf(await check({ list: many(110_000, () => 1) }, 'server'))).toMatch(
      /^it has more than 100000 parts, .+ use a newer version of the library, or a plain JSON Schema$/,
    );
    expect(seen).toHaveLength(1);
  });

  it('refuses a value that is nested too deeply for the library', async () => {
    const node: z.ZodType = z.lazy(() => z.object({ inner: node.optional() }));
    let deep: object = {};
    for (let level = 0; level < 50_000; level++) deep = { inner: deep };
    const { shape } = counted(node, { withJson: false });
    expect(problemOf(await shapeCheck(shape)(deep, 'server'))).toBe('the value is nested too deeply');
  });

  it('rejects with what a refinement of the author throws', async () => {
    const broken = z.object({}).refine(() => {
      throw new Error('author');
    });
    await expect(shapeCheck(broken)({}, 'server')).rejects.toThrow('author');
  });

  it('returns values in the order in which they came, large or small', async () => {
    const check = shapeCheck(hits);
    const order: number[] = [];
    const sizes = [2_000, 1, 3_000, 1];
    const checks = sizes.map(async (size) => {
      await check({ hits: many(size, (id) => ({ id, rank: 1 })) }, 'server');
      order.push(size);
    });
    await Promise.all(checks);
    expect(order).toEqual(sizes);
  });
});

describe('a check by plain JSON Schema', () => {
  it('refuses a value that takes too long', async () => {
    const branch = { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] };
    const node = { anyOf: [branch, branch, { type: 'null' }] };
    const check = shapeCheck({ ...branch, $defs: { node } });
    let value: object = { next: 1 };
    for (let level = 0; level < 40; level++) value = { next: value };
    expect(problemOf(await check(value, 'server'))).toBe(
      'the value takes too long to check; send less of it',
    );
  });
});
