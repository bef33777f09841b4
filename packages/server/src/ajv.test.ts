import { describe, expect, it } from 'vitest';
import { validator } from './ajv.js';
import { validator as bundled } from './schemas/bundled-validator.js';
import { compileSchema } from './schemas/schema.js';

const use = { owner: 'tool "t" input', direction: 'input' } as const;
const city = { type: 'object', properties: { city: { type: 'string' } } };

describe.each([
  ['the validator of /ajv', validator],
  ['the validator of bundles', bundled],
])('%s', (_, given) => {
  it('checks values by a plain JSON Schema', async () => {
    const schema = compileSchema(city, { ...use, validator: given });
    expect(await schema.validate({ city: 'Oslo' })).toEqual({ ok: true, value: { city: 'Oslo' } });
    expect(await schema.validate({ city: 5 })).toEqual({
      ok: false,
      issues: [{ path: 'city', message: 'must be string' }],
    });
  });

  it('interprets a schema that refers to itself', async () => {
    const recursive = { type: 'object', properties: { inner: { $ref: '#' } } };
    const schema = compileSchema(recursive, { ...use, validator: given });
    expect(await schema.validate({ inner: { inner: {} } })).toMatchObject({ ok: true });
    expect(await schema.validate({ inner: { inner: 5 } })).toMatchObject({ ok: false });
  });
});

it('answers at once when a schema has been compiled', async () => {
  const schema = compileSchema(city, { ...use, validator });
  await schema.prepare();
  expect(schema.validate({ city: 'Oslo' })).not.toBeInstanceOf(Promise);
});

it('names the tool when a validator rejects its schema', async () => {
  const compile = () => Promise.reject(new Error('not today'));
  const schema = compileSchema(city, { ...use, validator: { compile } });
  await expect(schema.prepare()).rejects.toThrow(
    'tool "t" input: the JSON Schema cannot be compiled (not today)',
  );
});
