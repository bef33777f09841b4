import type { SamplingMessage } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { checkSampling } from './sampling.js';

const text = (role: 'user' | 'assistant'): SamplingMessage => ({
  role,
  content: { type: 'text', text: 'x' },
});
const uses = (...ids: string[]): SamplingMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'add', input: {} })),
});
const results = (...ids: string[]): SamplingMessage => ({
  role: 'user',
  content: ids.map((toolUseId) => ({ type: 'tool_result', toolUseId, content: [] })),
});

test('tool uses answered by the next message pass, in any order', () => {
  expect(() =>
    checkSampling({ maxTokens: 1, messages: [text('user'), uses('a', 'b'), results('b', 'a')] }),
  ).not.toThrow();
  expect(() => checkSampling({ maxTokens: 1, messages: [text('user')] })).not.toThrow();
});

test.each([
  ['a use without result', [text('user'), uses('a'), text('user')], 'must answer exactly the tool uses'],
  ['a result too few', [uses('a', 'b'), results('a')], 'must answer exactly the tool uses'],
  ['a result of no use', [text('user'), results('a')], 'must answer exactly the tool uses'],
  ['a result given twice', [uses('a'), results('a', 'a')], 'must answer exactly the tool uses'],
  ['an open end', [text('user'), uses('a')], 'leaves tool uses unanswered'],
  [
    'results beside text',
    [
      uses('a'),
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_result', toolUseId: 'a', content: [] },
        ],
      },
    ],
    'may hold nothing else',
  ],
] satisfies [string, SamplingMessage[], string][])('%s is refused', (_, messages, message) => {
  expect(() => checkSampling({ maxTokens: 1, messages })).toThrow(message);
});

test.each([0, -1, 1.5, Number.NaN])('maxTokens %d is refused', (maxTokens) => {
  expect(() => checkSampling({ maxTokens, messages: [text('user')] })).toThrow(
    'maxTokens must be a positive integer',
  );
});
