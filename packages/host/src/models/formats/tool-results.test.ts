import { describe, expect, it } from 'vitest';
import { toModelContent } from './model-content.js';
import { modelFormats } from './model-format.js';
import { readToolCalls } from './tool-calls.js';
import { type ModelToolResult, toolResults } from './tool-results.js';

const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' } as const;
const results: readonly ModelToolResult[] = [
  {
    id: 'call_1',
    name: 'files__read',
    content: [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
  },
  { id: 'call_2', name: 'files__shot', content: [{ type: 'text', text: 'A picture.' }, png] },
  { id: 'call_3', name: 'files__list', content: [{ type: 'text', text: 'No such folder.' }], isError: true },
];

describe('toolResults', () => {
  it('rejects an unknown format', () => {
    expect(() => toolResults([], { for: 'gemeni' as never })).toThrow(
      'toolResults: there is no format "gemeni". Did you mean "gemini"?',
    );
  });

  it('is one message of the user for Anthropic, with is_error', () => {
    expect(toolResults(results, { for: 'anthropic' })).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'call_1',
            content: [
              { type: 'text', text: 'one' },
              { type: 'text', text: 'two' },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'call_2',
            content: [
              { type: 'text', text: 'A picture.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.data } },
            ],
          },
          {
            type: 'tool_result',
            tool_use_id: 'call_3',
            content: [{ type: 'text', text: 'No such folder.' }],
            is_error: true,
          },
        ],
      },
    ]);
  });

  it('is one message for each call for Chat Completions, as text', () => {
    expect(toolResults(results, { for: 'openai' })).toEqual([
      { role: 'tool', tool_call_id: 'call_1', content: 'one\n\ntwo' },
      { role: 'tool', tool_call_id: 'call_2', content: 'A picture.' },
      { role: 'tool', tool_call_id: 'call_3', content: 'Error: No such folder.' },
    ]);
  });

  it('is one item for each call for Responses', () => {
    expect(toolResults(results, { for: 'openai-responses' })).toEqual([
      { type: 'function_call_output', call_id: 'call_1', output: 'one\n\ntwo' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'A picture.' },
          { type: 'input_image', image_url: `data:image/png;base64,${png.data}`, detail: 'auto' },
        ],
      },
      { type: 'function_call_output', call_id: 'call_3', output: 'Error: No such folder.' },
    ]);
  });

  it('is one content of the user for Gemini, with output or error', () => {
    expect(toolResults(results, { for: 'gemini' })).toEqual([
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'call_1', name: 'files__read', response: { output: 'one\n\ntwo' } } },
          {
            functionResponse: {
              id: 'call_2',
              name: 'files__shot',
              response: { output: 'A picture.' },
              parts: [{ inlineData: { mimeType: 'image/png', data: png.data } }],
            },
          },
          { functionResponse: { id: 'call_3', name: 'files__list', response: { error: 'No such folder.' } } },
        ],
      },
    ]);
  });

  it('sends no id to Gemini that the reply did not have', () => {
    const [call] = readToolCalls({ parts: [{ functionCall: { name: 'a', args: {} } }] });
    const [message] = toolResults(
      [{ id: call?.id ?? '', name: 'a', content: [{ type: 'text', text: 'x' }] }],
      {
        for: 'gemini',
      },
    );
    expect(message).toEqual({
      role: 'user',
      parts: [{ functionResponse: { name: 'a', response: { output: 'x' } } }],
    });
  });

  it('is one message of tool results for the AI SDK', () => {
    const part = (index: number, output: object): object => ({
      type: 'tool-result',
      toolCallId: results[index]?.id,
      toolName: results[index]?.name,
      output,
    });
    expect(toolResults(results, { for: 'ai-sdk' })).toEqual([
      {
        role: 'tool',
        content: [
          part(0, { type: 'text', value: 'one\n\ntwo' }),
          part(1, {
            type: 'content',
            value: [
              { type: 'text', text: 'A picture.' },
              { type: 'image-data', data: png.data, mediaType: 'image/png' },
            ],
          }),
          part(2, { type: 'error-text', value: 'No such folder.' }),
        ],
      },
    ]);
  });

  it('has only text beside is_error of Anthropic, and no empty text', () => {
    const [message] = toolResults(
      [
        {
          id: 'a',
          name: 'b',
          content: [{ type: 'text', text: '' }, png, { type: 'text', text: 'x' }],
          isError: true,
        },
      ],
      { for: 'anthropic' },
    );
    expect(message).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'x' }], is_error: true },
      ],
    });
  });

  it.each(modelFormats)('answers every call of a reply, problems too, for %s', (format) => {
    const calls = readToolCalls([
      { type: 'tool_use', id: 'c1', name: 'a', input: {} },
      { type: 'tool_use', id: 'c2', name: 'a', input: '{' },
    ]);
    const answers = calls.map(
      ({ id, name, ...call }): ModelToolResult =>
        'problem' in call
          ? { id, name, content: [{ type: 'text', text: call.problem }], isError: true }
          : { id, name, ...toModelContent({ content: [{ type: 'text', text: 'ok' }] }, { for: format }) },
    );
    const text = JSON.stringify(toolResults(answers, { for: format }));
    for (const part of ['c1', 'c2', 'ok', 'not valid JSON']) expect(text).toContain(part);
    expect(toolResults([], { for: format })).toEqual([]);
  });
});
