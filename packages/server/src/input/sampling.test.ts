import type { SamplingMessage } from '@tenon/mcp-protocol';
import { expect, test } from 'vitest';
import { shows, showsBy } from '../../../../tooling/suite/shows.js';
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
  shows('2026-07-28/client/sampling/parallel');
  expect(() =>
    checkSampling({ maxTokens: 1, messages: [text('user'), uses('a', 'b'), results('b', 'a')] }),
  ).not.toThrow();
  expect(() => checkSampling({ maxTokens: 1, messages: [text('user')] })).not.toThrow();
});

test.each([
  [
    'a use without result',
    [text('user'), uses('a'), text('user')],
    'must answer exactly the tool uses',
    '2026-07-28/client/sampling/balance',
    '2026-07-28/client/sampling/tool-results-matched',
  ],
  [
    'a result too few',
    [uses('a', 'b'), results('a')],
    'must answer exactly the tool uses',
    '2026-07-28/client/sampling/balance',
  ],
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
    '2026-07-28/client/sampling/tool-results-only',
    '2026-07-28/client/sampling/tool-results-matched',
  ],
] satisfies [string, SamplingMessage[], string, ...string[]][])(
  '%s is refused',
  (...[, messages, message, ...ids]) => {
    shows(...ids);
    expect(() => checkSampling({ maxTokens: 1, messages })).toThrow(message);
  },
);

test.each([0, -1, 1.5, Number.NaN])('maxTokens %d is refused', (maxTokens) => {
  showsBy(maxTokens, { '0': '2024-11-05/client/sampling/content-validated' });
  expect(() => checkSampling({ maxTokens, messages: [text('user')] })).toThrow(
    'maxTokens must be a positive integer',
  );
});
