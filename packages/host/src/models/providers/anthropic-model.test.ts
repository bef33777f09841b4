import { describe, expect, it } from 'vitest';
import { type EndpointAnswer, events, json, modelEndpoint } from '../../../test/model-endpoint.js';
import type { ModelMessage, ModelRequest } from '../model.js';
import { anthropicModel } from './anthropic-model.js';

const add = { name: 'add', server: 'math', tool: { name: 'add', inputSchema: { type: 'object' } } };
const asked: readonly ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Add 1 and 2.' }] }];
const plain: ModelRequest = { messages: asked, tools: [], toolChoice: 'auto' };
const thinking = { type: 'thinking', thinking: 'Adding.', signature: 'c2ln' };

const message = (content: readonly unknown[], stop: string) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-test-1',
  content,
  stop_reason: stop,
  usage: { input_tokens: 5, cache_read_input_tokens: 6, cache_creation_input_tokens: 0, output_tokens: 7 },
});

async function replyOf(answer: EndpointAnswer, request = plain) {
  const { url, requests } = await modelEndpoint(answer);
  const model = anthropicModel({ model: 'claude-test', baseUrl: url, key: 'sk-ant-test' });
  return { reply: await model.reply(request), sent: requests[0] };
}

describe('a request', () => {
  it('has the members of the Messages API', async () => {
    const request: ModelRequest = {
      system: 'Be brief.',
      messages: asked,
      tools: [add],
      toolChoice: 'required',
      maxTokens: 50,
      temperature: 0.5,
      stopSequences: ['END'],
    };
    const { sent } = await replyOf(json(message([], 'end_turn')), request);
    expect(sent?.path).toBe('/v1/messages');
    expect(sent?.headers).toMatchObject({ 'x-api-key': 'sk-ant-test', 'anthropic-version': '2023-06-01' });
    expect(sent?.body).toEqual({
      model: 'claude-test',
      system: 'Be brief.',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Add 1 and 2.' }] }],
      tools: [{ name: 'add', description: '', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'any' },
      max_tokens: 50,
      temperature: 0.5,
      stop_sequences: ['END'],
    });
  });

  it('has calls, results and images in the places of the format, and defines past tools', async () => {
    const messages: readonly ModelMessage[] = [
      {
        role: 'assistant',
        content: [
          { type: 'opaque', format: 'anthropic', value: thinking },
          { type: 'opaque', format: 'other', value: {} },
          { type: 'text', text: ' ' },
          { type: 'tool_call', id: 'c1', name: 'add', args: { a: 1 } },
          { type: 'tool_call', id: 'c2', name: 'add', args: {} },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Here:' },
          { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
          {
            type: 'tool_result',
            id: 'c1',
            content: [{ type: 'image', data: 'cG5n', mimeType: 'image/png' }],
            isError: true,
          },
          {
            type: 'tool_result',
            id: 'c2',
            content: [{ type: 'image', data: 'cG5n', mimeType: 'image/png' }],
          },
        ],
      },
    ];
    const { sent } = await replyOf(json(message([], 'end_turn')), { ...plain, messages });
    expect(sent?.body).toEqual({
      model: 'claude-test',
      max_tokens: 8_192,
      messages: [
        {
          role: 'assistant',
          content: [
            thinking,
            { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
            { type: 'tool_use', id: 'c2', name: 'add', input: {} },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'c1',
              is_error: true,
              content: [{ type: 'text', text: expect.stringContaining('image/png was left out') }],
            },
            {
              type: 'tool_result',
              tool_use_id: 'c2',
              content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'cG5n' } }],
            },
            { type: 'text', text: 'Here:' },
            { type: 'text', text: expect.stringContaining('audio/wav was left out') },
          ],
        },
      ],
      tools: [{ name: 'add', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    });
  });

  it('finds the method below an address with /v1', async () => {
    const { url, requests } = await modelEndpoint(json(message([], 'end_turn')));
    await anthropicModel({ model: 'm', baseUrl: `${url}/proxy/v1/` }).reply(plain);
    expect(requests[0]?.path).toBe('/proxy/v1/messages');
    expect(requests[0]?.headers['x-api-key']).toBeUndefined();
  });
});

describe('a reply', () => {
  it('has the arguments by the names of the server when the format needs others', async () => {
    const inputSchema = { type: 'object', properties: { $filter: { type: 'number' } } };
    const { reply, sent } = await replyOf(
      (response, received) => {
        const [tool] = received.body.tools as { input_schema: typeof inputSchema }[];
        const [name = ''] = Object.keys(tool?.input_schema.properties ?? {});
        const use = { type: 'tool_use', id: 'c1', name: 'add', input: { [name]: 1 } };
        json(message([use], 'tool_use'))(response, received);
      },
      { ...plain, tools: [{ ...add, tool: { name: 'add', inputSchema } }] },
    );
    expect(JSON.stringify(sent?.body.tools)).not.toContain('$filter');
    expect(reply.content).toMatchObject([{ type: 'tool_call', args: { $filter: 1 } }]);
  });

  it('has text, calls, usage, and the reasoning as it came', async () => {
    const content = [
      thinking,
      { type: 'text', text: 'Let me add.' },
      { type: 'tool_use', id: 'c1', name: 'add', input: { a: 1 } },
    ];
    const { reply } = await replyOf(json(message(content, 'tool_use')));
    expect(reply).toEqual({
      content: [
        { type: 'opaque', format: 'anthropic', value: thinking },
        { type: 'text', text: 'Let me add.' },
        { type: 'tool_call', id: 'c1', name: 'add', args: { a: 1 } },
      ],
      stopReason: 'toolUse',
      usage: { input: 11, output: 7 },
      model: 'claude-test-1',
    });
  });

  it.each([
    ['end_turn', 'endTurn'],
    ['max_tokens', 'maxTokens'],
    ['stop_sequence', 'stopSequence'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
  ])('ends by %s as %s', async (stop, stopReason) => {
    const { reply } = await replyOf(json(message([{ type: 'text', text: 'Hi' }], stop)));
    expect(reply.stopReason).toBe(stopReason);
  });
});

describe('a stream', () => {
  const start = (index: number, block: object) => ({
    type: 'content_block_start',
    index,
    content_block: block,
  });
  const delta = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const opening = {
    type: 'message_start',
    message: { ...message([], 'x'), stop_reason: null, usage: { input_tokens: 5, output_tokens: 1 } },
  };
  const closing = [
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ];

  it('passes text on as it arrives, and puts blocks together', async () => {
    const { url, requests } = await modelEndpoint(
      events([
        opening,
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        { type: 'ping' },
        delta(0, { type: 'thinking_delta', thinking: 'Add' }),
        delta(0, { type: 'thinking_delta', thinking: 'ing.' }),
        delta(0, { type: 'signature_delta', signature: 'c2ln' }),
        stop(0),
        start(1, { type: 'text', text: '' }),
        delta(1, { type: 'text_delta', text: 'Let me ' }),
        delta(1, { type: 'text_delta', text: 'add.' }),
        stop(1),
        start(2, { type: 'tool_use', id: 'c1', name: 'add', input: {} }),
        delta(2, { type: 'input_json_delta', partial_json: '' }),
        delta(2, { type: 'input_json_delta', partial_json: '{"a"' }),
        delta(2, { type: 'input_json_delta', partial_json: ': 1}' }),
        stop(2),
        start(3, { type: 'tool_use', id: 'c2', name: 'now', input: {} }),
        stop(3),
        ...closing,
      ]),
    );
    const texts: string[] = [];
    const model = anthropicModel({ model: 'm', baseUrl: url });
    const reply = await model.reply(plain, { onText: (text) => texts.push(text) });
    expect(requests[0]?.body.stream).toBe(true);
    expect(texts).toEqual(['Let me ', 'add.']);
    expect(reply).toEqual({
      content: [
        { type: 'opaque', format: 'anthropic', value: thinking },
        { type: 'text', text: 'Let me add.' },
        { type: 'tool_call', id: 'c1', name: 'add', args: { a: 1 } },
        { type: 'tool_call', id: 'c2', name: 'now', args: {} },
      ],
      stopReason: 'toolUse',
      usage: { input: 5, output: 9 },
      model: 'claude-test-1',
    });
  });

  it('has the searches of the provider as they come without streaming, to be sent back', async () => {
    const found = {
      type: 'web_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: [
        {
          type: 'web_search_result',
          title: 'Weather',
          url: 'https://example.com/',
          encrypted_content: 'ZW5j',
          page_age: null,
        },
      ],
    };
    const citation = { type: 'web_search_result_location', url: 'https://example.com/', cited_text: 'Sun.' };
    const { url, requests } = await modelEndpoint(
      events([
        opening,
        start(0, { type: 'text', text: '' }),
        delta(0, { type: 'text_delta', text: 'I search.' }),
        stop(0),
        start(1, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
        delta(1, { type: 'input_json_delta', partial_json: '' }),
        delta(1, { type: 'input_json_delta', partial_json: '{"query": "wea' }),
        delta(1, { type: 'input_json_delta', partial_json: 'ther"}' }),
        stop(1),
        start(2, found),
        stop(2),
        start(3, { type: 'server_tool_use', id: 'srvtoolu_2', name: 'web_search', input: {} }),
        delta(3, { type: 'input_json_delta', partial_json: '{"query": "wea' }),
        stop(3),
        start(4, { type: 'text', text: '', citations: [] }),
        delta(4, { type: 'citations_delta', citation }),
        delta(4, { type: 'text_delta', text: 'Sun.' }),
        stop(4),
        ...closing,
      ]),
    );
    const texts: string[] = [];
    const model = anthropicModel({ model: 'm', baseUrl: url });
    const { content } = await model.reply(plain, { onText: (text) => texts.push(text) });
    const use = (id: string, input: object) => ({ type: 'server_tool_use', id, name: 'web_search', input });
    const blocks = [use('srvtoolu_1', { query: 'weather' }), found, use('srvtoolu_2', {})];
    expect(texts).toEqual(['I search.', 'Sun.']);
    expect(content).toEqual([
      { type: 'text', text: 'I search.' },
      ...blocks.map((value) => ({ type: 'opaque', format: 'anthropic', value })),
      { type: 'text', text: 'Sun.' },
    ]);
    await model.reply(
      { ...plain, messages: [...asked, { role: 'assistant', content }] },
      { onText: () => {} },
    );
    expect(requests[1]?.body.messages).toMatchObject([{}, { content: [{}, ...blocks, {}] }]);
  });

  it('is an error when the provider reports one within it', async () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const { url } = await modelEndpoint(events([opening, { type: 'error', error }]));
    await expect(
      anthropicModel({ model: 'm', baseUrl: url }).reply(plain, { onText: () => {} }),
    ).rejects.toMatchObject({ reason: 'rate-limited', message: expect.stringContaining('Overloaded') });
  });
});
