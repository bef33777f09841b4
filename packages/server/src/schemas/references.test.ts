import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { everyRevision, WirePeer } from '../../test/wire-peer.js';
import { formFor } from '../input/elicitation.js';
import { createServer } from '../server.js';
import { compileSchema, type Schema } from './schema.js';

const unit = z.enum(['C', 'F']).meta({ id: 'Unit' });
const place = z.object({ city: z.string(), unit }).meta({ id: 'Place', description: 'A place' });
const report = z.object({ place, degrees: z.number() }).meta({ id: 'Report' });

const placeJson = {
  type: 'object',
  description: 'A place',
  properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
  required: ['city', 'unit'],
};
const text = { type: 'string' };

describe.each(everyRevision)('schemas with ids in $id', (revision) => {
  it('are listed without references, as input, output and arguments', async () => {
    const server = createServer({ name: 'test', version: '1' })
      .tool('forecast', { input: place, output: report }, ({ city }) => ({
        place: { city, unit: 'C' as const },
        degrees: 3,
      }))
      .prompt('ask', { args: z.object({ city: z.string() }).meta({ id: 'Args' }) }, ({ city }) => city);
    const peer = await WirePeer.open(server, revision);
    const tools = (await peer.request('tools/list')).result?.tools ?? [];
    expect(tools[0]?.inputSchema).toEqual(placeJson);
    if (!['2024-11-05', '2025-03-26'].includes(revision.id))
      expect(tools[0]?.outputSchema).toMatchObject({
        type: 'object',
        properties: { place: placeJson, degrees: { type: 'number' } },
      });
    const prompts = (await peer.request('prompts/list')).result?.prompts ?? [];
    expect(prompts[0]?.arguments).toEqual([{ name: 'city', required: true }]);
  });
});

describe('a form', () => {
  it.each<[string, Schema]>([
    ['whose schema has an id', z.object({ city: z.string(), unit: z.enum(['C', 'F']) }).meta({ id: 'Form' })],
    ['whose fields have ids', z.object({ city: z.string().meta({ id: 'City' }), unit })],
    [
      'of plain JSON Schema with definitions',
      {
        $ref: '#/$defs/form',
        $defs: {
          form: {
            type: 'object',
            properties: { city: { $ref: '#/$defs/city' }, unit: { type: 'string', enum: ['C', 'F'] } },
            required: ['city', 'unit'],
          },
          city: text,
        },
      },
    ],
  ])('%s has fields without references', (_title, schema) => {
    const { form } = formFor(schema, { key: 'place', validator: undefined });
    expect(form).toEqual({
      type: 'object',
      properties: { city: text, unit: { type: 'string', enum: ['C', 'F'] } },
      required: ['city', 'unit'],
    });
  });
});

describe('an input', () => {
  const leaf = { type: 'object', properties: { x: text }, required: ['x'] };
  const twice = {
    type: 'object',
    properties: { a: leaf, b: leaf },
    required: ['a', 'b'],
  };
  const zodLeaf = z.object({ x: z.string() }).meta({ id: 'Leaf' });
  const arkScope = type.module({
    leaf: { x: 'string' },
    tree: { a: 'leaf', 'kids?': 'tree[]' },
    twice: { a: 'leaf', b: 'leaf' },
  });
  const valibotLeaf = v.object({ x: v.string() });

  it.each<[string, Schema]>([
    ['zod', z.object({ a: zodLeaf, b: zodLeaf })],
    ['arktype', arkScope.twice],
    ['valibot', toStandardJsonSchema(v.object({ a: valibotLeaf, b: valibotLeaf }))],
    [
      'plain',
      { ...twice, properties: { a: { $ref: '#/$defs/l' }, b: { $ref: '#/$defs/l' } }, $defs: { l: leaf } },
    ],
  ])('of %s that uses a schema twice is listed without references', (_title, schema) => {
    expect(compileSchema(schema, { owner: 'tool "t" input', direction: 'input' }).json).toEqual(twice);
  });

  const zodTree = z
    .object({
      a: zodLeaf,
      get kids() {
        return z.array(zodTree).optional();
      },
    })
    .meta({ id: 'Tree' });
  const valibotTree: v.GenericSchema = v.object({
    a: valibotLeaf,
    kids: v.optional(v.array(v.lazy(() => valibotTree))),
  });

  it.each<[string, Schema]>([
    ['zod', zodTree],
    ['arktype', arkScope.tree],
    ['valibot', toStandardJsonSchema(valibotTree)],
  ])('of %s that is recursive is listed with the properties of its root', (_title, schema) => {
    const { json, validate } = compileSchema(schema, { owner: 'tool "t" input', direction: 'input' });
    expect(json).toMatchObject({ type: 'object', properties: { a: leaf, kids: { type: 'array' } } });
    const a = { x: '1' };
    expect(validate({ a, kids: [{ a }] })).toMatchObject({ ok: true });
    expect(validate({ a, kids: [{ a: 1 }] })).toMatchObject({ ok: false });
  });
});
