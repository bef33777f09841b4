import { describe, expect, it, vi } from 'vitest';
import { answersFrom, templateOf } from './answers.js';

const form = {
  message: 'Which city?',
  requestedSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
    required: ['city'],
  },
} as const;
const page = { mode: 'url', message: 'Pay', url: 'https://pay.example' } as const;
const sample = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hi?' } }],
  maxTokens: 5,
} as const;

const from = (value: unknown) => answersFrom(JSON.stringify(value), { file: 'answers.json' });

describe('answersFrom', () => {
  it.each([
    [
      { 'Which city?': { content: { city: 'Oslo' } } },
      { action: 'accept', content: { city: 'Oslo', days: 3 } },
    ],
    [
      { '*': { action: 'accept', content: { city: 'Oslo', days: 1 } } },
      { action: 'accept', content: { city: 'Oslo', days: 1 } },
    ],
    [{ 'Which city?': 'decline', '*': 'cancel' }, { action: 'decline' }],
    [{ '*': { action: 'cancel' } }, { action: 'cancel' }],
  ])('answers a form from %j', (file, answer) => {
    expect(from(file).onElicit(form)).toEqual(answer);
  });

  it('answers pages and sampling', () => {
    const { onElicitUrl, onSample } = from({ Pay: 'accept', 'Hi?': { text: 'Hello' } });
    expect(onElicitUrl(page)).toEqual({ action: 'accept' });
    expect(onSample(sample)).toMatchObject({ role: 'assistant', content: { type: 'text', text: 'Hello' } });
    expect(() => from({ '*': 'decline' }).onSample(sample)).toThrow('rejected');
  });

  it('uses the answers of a list in their order', () => {
    const { onElicit, unused } = from({ 'Which city?': ['decline', 'cancel'], other: 'decline' });
    expect(onElicit(form)).toEqual({ action: 'decline' });
    expect(unused()).toEqual(['Which city?[1]', 'other']);
    expect(onElicit(form)).toEqual({ action: 'cancel' });
    expect(() => onElicit(form)).toThrow('answers.json has no answer to an input request: "Which city?"');
  });

  it('reports an input request without an answer, with an answer to add', () => {
    const onFailure = vi.fn();
    const { onElicit } = answersFrom('{}', { file: 'a.json', onFailure });
    expect(() => onElicit(form)).toThrow(
      expect.objectContaining({ reason: 'usage', hint: expect.stringContaining('"city":"..."') }),
    );
    expect(onFailure).toHaveBeenCalledOnce();
  });

  it.each([
    ['[]', 'expected an object'],
    ['{', 'is not a JSON object'],
    ['{"roots": "x"}', '"roots" in a.json is not a list of roots'],
  ])('rejects the file %s', (text, message) => {
    expect(() => answersFrom(text, { file: 'a.json' })).toThrow(message);
  });

  it.each([
    [{ '*': { content: { city: 1 } } }, 'does not fit the form: city: expected a string'],
    [{ '*': { content: { town: 'x' } } }, 'does not fit the form: city: is required'],
    [{ '*': 'yes' }, 'has no action'],
  ])('rejects the answer %j', (file, message) => {
    expect(() => from(file).onElicit(form)).toThrow(message);
  });

  it('returns the roots', () => {
    expect(from({ roots: [{ uri: 'file:///a' }] }).roots).toEqual([{ uri: 'file:///a' }]);
    expect(from({}).roots).toBeUndefined();
  });

  it('prints a template for each kind of input request', () => {
    expect([form, page, sample].map(templateOf)).toEqual([
      { action: 'accept', content: { city: '...', days: 3 } },
      { action: 'accept' },
      { text: '...' },
    ]);
  });
});
