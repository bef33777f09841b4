import { describe, expect, it } from 'vitest';
import { type EndpointAnswer, events, json, modelEndpoint } from '../../../test/model-endpoint.js';
import type { ModelMessage, ModelRequest } from '../model.js';
import { openAiModel } from './openai-model.js';

const add = {
  name: 'math_add',
  server: 'math',
  tool: {
    name: 'add',
    description: 'Adds.',
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  },
};
const asked: readonly ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Add 1 and 2.' }] }];
const plain: ModelRequest = { messages: asked, tools: [], toolChoice: 'auto' };

function completion(message: unknown, finish: string, more: object = {}) {
  return json({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-test-1',
    choices: [{ index: 0, message, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    ...more,
  });
}

const chunk = (delta: object, finish: string | null = null) => ({
  object: 'chat.completion.chunk',
  model: 'gpt-test-1',
  choices: [{ index: 0, delta, finish_reason: finish }],
});

async function replyOf(answer: EndpointAnswer, request = plain) {
  const { url, requests } = await modelEndpoint(answer);
  const model = openAiModel({ model: 'gpt-test', baseUrl: `${url}/v1`, key: 'sk-test' });
  return { reply: await model.reply(request), sent: requests[0] };
}

describe('a request', () => {
  it('has the members of chat completions', async () => {
    const request: ModelRequest = {
      system: 'Be brief.',
      messages: asked,
      tools: [add],
      toolChoice: 'required',
      maxTokens: 50,
      temperature: 0.5,
      stopSequences: ['END'],
    };
    const { sent } = await replyOf(completion({ role: 'assistant', content: 'Hi' }, 'stop'), request);
    expect(sent?.path).toBe('/v1/chat/completions');
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sk-test',
      'content-type': 'application/json',
    });
    expect(sent?.body).toEqual({
      model: 'gpt-test',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Add 1 and 2.' },
      ],
      tools: [
        {
          type: 'function',
          function: {
            name: 'math_add',
            description: 'Adds.',
            parameters: add.tool.inputSchema,
            strict: false,
          },
        },
      ],
      tool_choice: 'required',
      max_tokens: 50,
      temperature: 0.5,
      stop: ['END'],
    });
  });

  it('has calls, results, images and sounds in the places of the format', async () => {
    const messages: readonly ModelMessage[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', data: 'aW1n', mimeType: 'image/png' },
          { type: 'audio', data: 'c25k', mimeType: 'audio/mpeg' },
          { type: 'audio', data: 'c25k', mimeType: 'audio/ogg' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'opaque', format: 'anthropic', value: { type: 'thinking' } },
          { type: 'tool_call', id: 'c1', name: 'math_add', args: { a: 1 } },
          { type: 'tool_call', id: 'c2', name: 'math_add', args: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            id: 'c1',
            content: [
              { type: 'text', text: '3' },
              { type: 'image', data: 'cG5n', mimeType: 'image/png' },
            ],
          },
          { type: 'tool_result', id: 'c2', content: [{ type: 'text', text: 'no b' }], isError: true },
        ],
      },
    ];
    const { sent } = await replyOf(completion({ content: 'Hi' }, 'stop'), { ...plain, messages });
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'math_add', arguments: args },
    });
    expect(sent?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
          { type: 'input_audio', input_audio: { data: 'c25k', format: 'mp3' } },
          { type: 'text', text: expect.stringContaining('audio/ogg was left out') },
        ],
      },
      { role: 'assistant', content: null, tool_calls: [call('c1', '{"a":1}'), call('c2', '{}')] },
      { role: 'tool', tool_call_id: 'c1', content: '3' },
      { role: 'tool', tool_call_id: 'c2', content: 'Error: no b' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result c1:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,cG5n' } },
        ],
      },
    ]);
  });

  it('has the members and headers of the options, and none that they remove', async () => {
    const { url, requests } = await modelEndpoint(completion({ content: 'Hi' }, 'stop'));
    const model = openAiModel({
      model: 'm',
      baseUrl: `${url}/openai/deployments/m?api-version=1`,
      headers: { 'api-key': 'azure-key-1' },
      body: { max_tokens: undefined, max_completion_tokens: 9, reasoning_effort: 'low' },
      maxTokens: 100,
    });
    await model.reply(plain);
    expect(requests[0]?.path).toBe('/openai/deployments/m/chat/completions?api-version=1');
    expect(requests[0]?.headers).toMatchObject({ 'api-key': 'azure-key-1' });
    expect(requests[0]?.headers.authorization).toBeUndefined();
    expect(requests[0]?.body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Add 1 and 2.' }],
      max_completion_tokens: 9,
      reasoning_effort: 'low',
    });
  });

  it('goes to api.openai.com with max_completion_tokens when there is no baseUrl', async () => {
    const sent: [string, unknown][] = [];
    const model = openAiModel({
      model: 'gpt-test',
      key: 'sk-test',
      fetch: async (url, init) => {
        sent.push([String(url), JSON.parse(String(init?.body))]);
        const choices = [{ message: { content: 'Hi' }, finish_reason: 'stop' }];
        return Response.json({ choices });
      },
    });
    const { usage, model: name } = await model.reply({ ...plain, maxTokens: 5 });
    expect(sent).toEqual([
      ['https://api.openai.com/v1/chat/completions', expect.objectContaining({ max_completion_tokens: 5 })],
    ]);
    expect(sent[0]?.[1]).not.toHaveProperty('max_tokens');
    // The endpoint reported neither.
    expect(name).toBe('gpt-test');
    expect(usage.input).toBeGreaterThan(10);
    expect(usage.output).toBeGreaterThan(0);
  });
});

describe('a reply', () => {
  it('has text, calls, usage and the name of the model', async () => {
    const message = {
      role: 'assistant',
      content: 'Let me add.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'math_add', arguments: '{"a":1,"b":2}' } },
      ],
    };
    const { reply } = await replyOf(completion(message, 'tool_calls'));
    expect(reply).toEqual({
      content: [
        { type: 'text', text: 'Let me add.' },
        { type: 'tool_call', id: 'c1', name: 'math_add', args: { a: 1, b: 2 } },
      ],
      stopReason: 'toolUse',
      usage: { input: 11, output: 7 },
      model: 'gpt-test-1',
    });
  });

  it.each([
    ['stop', 'endTurn'],
    ['length', 'maxTokens'],
    ['content_filter', 'refusal'],
    ['eos', 'other'],
  ])('ends by %s as %s', async (finish, stopReason) => {
    const { reply } = await replyOf(completion({ content: 'Hi' }, finish));
    expect(reply.stopReason).toBe(stopReason);
  });

  it('marks calls with arguments that are not a JSON object, and replaces missing and repeated ids', async () => {
    const call = (id: string | undefined, args: string) => ({
      id,
      function: { name: 'math_add', arguments: args },
    });
    const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    const calls = [call('c1', '{"a":'), call('c1', '[1]'), call(undefined, ''), call('c4', deep)];
    const { reply } = await replyOf(completion({ content: null, tool_calls: calls }, 'stop'));
    const problem = expect.stringContaining('JSON object');
    expect(reply.content).toEqual([
      { type: 'tool_call', id: 'c1', name: 'math_add', args: {}, problem },
      { type: 'tool_call', id: expect.stringMatching(/^call_\w+$/), name: 'math_add', args: {}, problem },
      { type: 'tool_call', id: expect.stringMatching(/^call_\w+$/), name: 'math_add', args: {} },
      {
        type: 'tool_call',
        id: 'c4',
        name: 'math_add',
        args: {},
        problem: expect.stringContaining('64 levels'),
      },
    ]);
    expect(new Set(reply.content.map((block) => 'id' in block && block.id)).size).toBe(4);
    expect(reply.stopReason).toBe('toolUse');
  });
});

describe('a stream', () => {
  it('passes text on as it arrives, and puts calls together', async () => {
    const { url, requests } = await modelEndpoint(
      events([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Let me ' }),
        chunk({ content: 'add.' }),
        chunk({
          tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'add', arguments: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
        chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'sub', arguments: '{}' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
        chunk({}, 'tool_calls'),
        { ...chunk({}), choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } },
        '[DONE]',
      ]),
    );
    const texts: string[] = [];
    const model = openAiModel({ model: 'm', baseUrl: url });
    const reply = await model.reply(plain, { onText: (text) => texts.push(text) });
    expect(requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(texts).toEqual(['Let me ', 'add.']);
    expect(reply).toEqual({
      content: [
        { type: 'text', text: 'Let me add.' },
        { type: 'tool_call', id: 'c1', name: 'add', args: { a: 1 } },
        { type: 'tool_call', id: 'c2', name: 'sub', args: {} },
      ],
      stopReason: 'toolUse',
      usage: { input: 3, output: 4 },
      model: 'gpt-test-1',
    });
  });

  it('keeps whole calls apart when the endpoint numbers none of them', async () => {
    const call = (id: string, name: string) =>
      chunk({ tool_calls: [{ index: 0, id, function: { name, arguments: '{"n":1}' } }] });
    const { url } = await modelEndpoint(events([call('x', 'first'), call('y', 'second'), chunk({}, 'stop')]));
    const reply = await openAiModel({ model: 'm', baseUrl: url }).reply(plain, { onText: () => {} });
    expect(reply.content).toEqual([
      { type: 'tool_call', id: 'x', name: 'first', args: { n: 1 } },
      { type: 'tool_call', id: 'y', name: 'second', args: { n: 1 } },
    ]);
  });

  it('passes the text on at the end when the endpoint does not stream', async () => {
    const { url } = await modelEndpoint(completion({ content: 'Hi' }, 'stop'));
    const texts: string[] = [];
    await openAiModel({ model: 'm', baseUrl: url }).reply(plain, { onText: (text) => texts.push(text) });
    expect(texts).toEqual(['Hi']);
  });
});
