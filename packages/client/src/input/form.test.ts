import type { FormField, FormSchema } from '@tenon/mcp-protocol';
import { describe, expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { formProblem, withFormDefaults } from './form.js';

const titled = [
  { const: '#f00', title: 'Red' },
  { const: '#0f0', title: 'Green' },
];

const form = (field: object): FormSchema => ({ type: 'object', properties: { field: field as FormField } });

const rows: [field: object, value: unknown, problem: string | undefined, ...ids: readonly string[]][] = [
  [{ type: 'string' }, 'a', undefined],
  [{ type: 'string' }, 1, 'expected a string'],
  [{ type: 'string', minLength: 2 }, '😀', 'is shorter than 2'],
  [{ type: 'string', maxLength: 2 }, '😀😀', undefined],
  [{ type: 'string', maxLength: 2 }, 'abc', 'is longer than 2'],
  [{ type: 'string', format: 'email' }, 'a@b', undefined],
  [{ type: 'string', format: 'email' }, 'a b@c', 'is not a valid email'],
  [{ type: 'string', format: 'email' }, '@b', 'is not a valid email'],
  [{ type: 'string', format: 'uri' }, 'urn:a', undefined],
  [{ type: 'string', format: 'uri' }, 'no uri', 'is not a valid uri'],
  [{ type: 'string', format: 'date' }, '2024-02-29', undefined],
  [{ type: 'string', format: 'date' }, '2023-02-29', 'is not a valid date'],
  [{ type: 'string', format: 'date-time' }, '2024-02-29T12:00:00Z', undefined],
  [{ type: 'string', format: 'date-time' }, '2024-02-29 12:00', 'is not a valid date-time'],
  [{ type: 'string', format: 'future' }, 'anything', undefined],
  [{ type: 'string', enum: ['C', 'F'] }, 'C', undefined],
  [{ type: 'string', enum: ['C', 'F'] }, 'K', 'expected one of "C", "F"'],
  [{ type: 'string', oneOf: titled }, '#f00', undefined],
  [{ type: 'string', oneOf: titled }, 'Red', 'expected one of "#f00", "#0f0"'],
  [{ type: 'number', minimum: 0 }, -0.5, 'is below 0'],
  [{ type: 'number', maximum: 1 }, 2, 'is above 1'],
  [{ type: 'number' }, Number.NaN, 'expected a number'],
  [{ type: 'number' }, '1', 'expected a number'],
  [{ type: 'integer' }, 1.5, 'expected an integer', '2026-07-28/client/elicitation/client-validates'],
  [{ type: 'integer' }, 2, undefined],
  [{ type: 'boolean' }, false, undefined],
  [{ type: 'boolean' }, 'no', 'expected true or false'],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['a', 'b'], undefined],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, ['c'], 'expected one of "a", "b"'],
  [{ type: 'array', items: { anyOf: titled } }, ['#0f0'], undefined],
  [{ type: 'array', items: { anyOf: titled } }, ['Green'], 'expected one of "#f00", "#0f0"'],
  [{ type: 'array', minItems: 1 }, [], 'has fewer than 1 items'],
  [{ type: 'array', maxItems: 1 }, ['a', 'b'], 'has more than 1 items'],
  [{ type: 'array' }, [1], 'expected a list of strings'],
  [{ type: 'array' }, 'a', 'expected a list'],
];

describe('a field', () => {
  it.each(rows)('%j given %j', (...[field, value, problem, ...ids]) => {
    shows(...ids);
    expect(formProblem(form(field), { field: value })).toBe(
      problem === undefined ? undefined : `field: ${problem}`,
    );
  });
});

it('a form wants its required fields, and no others than its own', () => {
  shows('2026-07-28/client/elicitation/accept-content');
  const schema = { ...form({ type: 'string' }), required: ['field', 'toString'] };
  expect(formProblem(schema, {})).toBe('field: is required');
  expect(formProblem(schema, { field: 'a' })).toBe('toString: is required');
  expect(formProblem(form({ type: 'string' }), { other: 'a' })).toBe('other: is not a field of the form');
  expect(formProblem(form({ type: 'string' }), { constructor: 'a' })).toBe(
    'constructor: is not a field of the form',
  );
});

it('defaults fill in what was left out, if they are sound', () => {
  shows('2026-07-28/client/elicitation/defaults');
  const schema: FormSchema = {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'Ada' },
      age: { type: 'integer', default: 1.5 },
      on: { type: 'boolean', default: false },
      list: { type: 'array', items: { enum: ['a'] }, default: ['a'] },
      none: { type: 'string' },
    },
  };
  expect(withFormDefaults(schema, { name: '' })).toEqual({ name: '', on: false, list: ['a'] });
  expect(withFormDefaults(schema)).toEqual({ name: 'Ada', on: false, list: ['a'] });
});
