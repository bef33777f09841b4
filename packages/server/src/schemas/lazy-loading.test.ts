import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { interpreter } from '../interpreter.js';
import { compileSchema } from './schema.js';

const loaded = vi.hoisted((): string[] => []);
vi.mock('ajv/dist/2020.js', async (original) => {
  loaded.push('2020-12');
  return { ...(await original<object>()) };
});
vi.mock('ajv', async (original) => {
  loaded.push('draft-07');
  return { ...(await original<object>()) };
});

// One story: each step leaves more loaded than the one before.
describe('Ajv', () => {
  const use = { owner: 'tool "t" input', direction: 'input' } as const;
  const plain = compileSchema({ type: 'object', properties: { city: { type: 'string' } } }, use);
  const old = compileSchema({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, use);
  beforeAll(() => expect(loaded).toEqual([]));
  afterAll(() => expect(loaded).toEqual(['2020-12', 'draft-07']));

  it('is not loaded for a Standard Schema', async () => {
    const standard = compileSchema(z.object({ city: z.string() }), use);
    await standard.prepare();
    expect(standard.validate({ city: 'Oslo' })).toEqual({ ok: true, value: { city: 'Oslo' } });
    expect(loaded).toEqual([]);
  });

  it('is not loaded when another validator is set, or when compiling is not safe', async () => {
    const other = compileSchema({ type: 'object' }, { ...use, validator: interpreter() });
    expect(other.validate({})).toEqual({ ok: true, value: {} });
    const recursive = { type: 'object', properties: { inner: { $ref: '#' } } };
    expect(await compileSchema(recursive, use).validate({ inner: {} })).toEqual({
      ok: true,
      value: { inner: {} },
    });
    expect(loaded).toEqual([]);
  });

  it('is loaded when a plain schema first validates, and once', async () => {
    const first = plain.validate({ city: 'Oslo' });
    const second = plain.validate({ city: 5 });
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual({ ok: true, value: { city: 'Oslo' } });
    expect(await second).toEqual({ ok: false, issues: [{ path: 'city', message: 'must be string' }] });
    expect(loaded).toEqual(['2020-12']);
  });

  it('answers at once from then on', () => {
    expect(plain.validate({ city: 'Rome' })).toEqual({ ok: true, value: { city: 'Rome' } });
    expect(plain.validate({ city: 5 })).not.toBeInstanceOf(Promise);
  });

  it('is loaded by prepare, in the dialect of the schema', async () => {
    await old.prepare();
    expect(loaded).toEqual(['2020-12', 'draft-07']);
    expect(old.validate({})).toEqual({ ok: true, value: {} });
  });
});
