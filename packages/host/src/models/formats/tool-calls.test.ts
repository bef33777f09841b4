import { describe, expect, it } from 'vitest';
import { isMadeId, readToolCalls } from './tool-calls.js';

const expected = [
  { id: 'call_1', name: 'files__read', args: { path: 'a' } },
  { id: 'call_2', name: 'files__list', args: {} },
];

const chatCalls = [
  { id: 'call_1', type: 'function', function: { name: 'files__read', arguments: '{"path":"a"}' } },
  { id: 'call_2', type: 'function', function: { name: 'files__list', arguments: '' } },
];
const chatMessage = { role: 'assistant', content: null, tool_calls: chatCalls };
const responsesItems = [
  { type: 'reasoning', id: 'rs_1', summary: [] },
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'files__read', arguments: '{"path":"a"}' },
  { type: 'message', content: [{ type: 'output_text', text: 'One moment.' }] },
  { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x' } },
  { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'files__list', arguments: '{}' },
];
const anthropicBlocks = [
  { type: 'thinking', thinking: 'Let me see.', signature: 'x' },
  { type: 'text', text: 'One moment.' },
  { type: 'tool_use', id: 'call_1', name: 'files__read', input: { path: 'a' } },
  { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } },
  { type: 'tool_use', id: 'call_2', name: 'files__list', input: {} },
];
const geminiParts = [
  { text: 'One moment.' },
  { functionCall: { id: 'call_1', name: 'files__read', args: { path: 'a' } }, thoughtSignature: 'x' },
  { functionCall: { id: 'call_2', name: 'files__list' } },
];
const aiSdkCalls = [
  { type: 'tool-call', toolCallId: 'call_1', toolName: 'files__read', input: { path: 'a' } },
  { type: 'tool-call', toolCallId: 'srv_1', toolName: 'web_search', input: {}, providerExecuted: true },
  { type: 'tool-call', toolCallId: 'call_2', toolName: 'files__list', input: undefined },
];

describe('readToolCalls', () => {
  it.each<[string, unknown]>([
    ['calls of Chat Completions', chatCalls],
    ['a message of Chat Completions', chatMessage],
    [
      'a response of Chat Completions',
      {
        choices: [
          { index: 0, message: chatMessage },
          { index: 1, message: chatMessage },
        ],
      },
    ],
    ['items of Responses', responsesItems],
    ['a response of Responses', { object: 'response', output: responsesItems }],
    ['content of Anthropic', anthropicBlocks],
    ['a message of Anthropic', { type: 'message', role: 'assistant', content: anthropicBlocks }],
    ['parts of Gemini', geminiParts],
    ['content of Gemini', { role: 'model', parts: geminiParts }],
    ['a response of Gemini', { candidates: [{ content: { role: 'model', parts: geminiParts } }] }],
    ['calls of Gemini', [expected[0], { id: 'call_2', name: 'files__list', args: undefined }]],
    ['calls of the AI SDK', aiSdkCalls],
    ['a message of the AI SDK', { role: 'assistant', content: [{ type: 'text', text: 'x' }, ...aiSdkCalls] }],
    ['a result of the AI SDK', { text: 'x', toolCalls: aiSdkCalls }],
    [
      'calls of the AI SDK without a type',
      aiSdkCalls.filter(({ toolCallId }) => toolCallId !== 'srv_1').map(({ type: _, ...call }) => call),
    ],
  ])('reads %s', (_, response) => {
    expect(readToolCalls(response)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'calls'],
    ['an empty list', []],
    ['a message without calls', { role: 'assistant', content: 'Hello.' }],
    [
      'a result of a tool',
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [{ type: 'tool_use', id: 'b', name: 'c', input: {} }],
      },
    ],
    [
      'a response of a function',
      { functionResponse: { name: 'a', response: { functionCall: { name: 'b' } } } },
    ],
    ['an empty response', { choices: [], candidates: [], output: [] }],
  ])('finds no call in %s', (_, response) => {
    expect(readToolCalls(response)).toEqual([]);
  });

  it('makes ids for calls without', () => {
    const calls = readToolCalls([
      { functionCall: { name: 'a', args: {} } },
      { functionCall: { name: 'a', args: {} } },
    ]);
    expect(calls.map(({ id }) => id)).toEqual(['tenon-call-1', 'tenon-call-2']);
    expect(calls.every(({ id }) => isMadeId(id))).toBe(true);
  });

  const problemWith = (args: unknown): string | undefined => {
    const [call] = readToolCalls([{ id: 'a', function: { name: 'b', arguments: args } }]);
    return call !== undefined && 'problem' in call ? call.problem : undefined;
  };

  it('has a problem for the model when the arguments are unusable', () => {
    expect(problemWith('{"path": "a"')).toMatch(
      /^The arguments are not valid JSON \(.+\)\. Make the call again with a JSON object\.$/,
    );
    expect(problemWith('[1]')).toContain('The arguments are a list.');
    expect(problemWith('"{}"')).toContain('The arguments are a string.');
    expect(problemWith('true')).toContain('The arguments are a boolean.');
    expect(problemWith(`{"a":"${'x'.repeat(1_000_000)}"}`)).toContain('more than 1000000');
    expect(problemWith('{"a":'.repeat(100) + 1 + '}'.repeat(100))).toContain('nested in more than 64 levels');
    expect(problemWith('{"a":'.repeat(100_000))).toContain('not valid JSON');
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(problemWith(loop)).toContain('not JSON');
    expect(problemWith(Symbol('x'))).toContain('not JSON');
  });

  it.each([undefined, null, '', '  \n', '{}', 'null'])('takes %j as no arguments', (args) => {
    expect(readToolCalls([{ id: 'a', function: { name: 'b', arguments: args } }])).toEqual([
      { id: 'a', name: 'b', args: {} },
    ]);
  });

  it('has a problem when the name is missing, and answers custom tools', () => {
    expect(readToolCalls([{ type: 'tool_use', id: 'a', input: {} }])).toEqual([
      { id: 'a', name: '', problem: 'The call has no name of a tool. Name one of the tools.' },
    ]);
    expect(
      readToolCalls([{ type: 'custom', id: 'a', custom: { name: 'b', input: 'free text' } }])[0],
    ).toHaveProperty('problem');
  });

  it('answers calls above the bound with a problem', () => {
    const calls = readToolCalls(
      Array.from({ length: 130 }, (_, at) => ({ type: 'tool_use', id: `c${at}`, name: 'a', input: {} })),
    );
    expect(calls).toHaveLength(130);
    expect(calls.filter((call) => 'problem' in call).map(({ id }) => id)).toEqual(['c128', 'c129']);
  });

  it('keeps a member named like a prototype a member', () => {
    const [call] = readToolCalls([
      { id: 'a', function: { name: 'b', arguments: '{"__proto__":{"admin":true}}' } },
    ]);
    expect(Object.keys((call as { readonly args: object }).args)).toEqual(['__proto__']);
    expect((call as { readonly args: { readonly admin?: boolean } }).args.admin).toBeUndefined();
  });
});
