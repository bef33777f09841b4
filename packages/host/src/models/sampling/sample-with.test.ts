import { connectMemory } from '@tenon/mcp-client/memory';
import { type CreateMessageParams, latestHandshake, type ModelPreferences } from '@tenon/mcp-protocol';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shows } from '../../../../../tooling/suite/shows.js';
import type { Model } from '../model.js';
import { ModelError } from '../model-error.js';
import { type Script, scriptedModel } from '../scripted/scripted-model.js';
import { chooseModel } from './choose-model.js';
import { type SampledModels, sampleWith } from './sample-with.js';

const text = (of: string) => ({ type: 'text', text: of }) as const;
const asking: CreateMessageParams = {
  messages: [{ role: 'user', content: text('Weather?') }],
  maxTokens: 100,
};
const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
const forecast = { ...asking, tools: [tool('forecast')] };
const calling = { text: 'Let me look.', calls: [{ name: 'forecast', args: { days: 1 } }] };

/** Samples as a server does, through a client. Returns the result, or the error that the server received. */
async function sampled(models: SampledModels, params: CreateMessageParams, revision?: string) {
  let result: unknown;
  const server = createServer({ name: 'sampling', version: '1' }).tool('go', {}, async (_, ctx) => {
    try {
      result = await ctx.sample('model', params);
    } catch (error) {
      result = error;
      throw error;
    }
    return 'done';
  });
  const client = await connectMemory(server, {
    info: { name: 'host', version: '1' },
    onSample: sampleWith(models),
    capabilities: { samplingTools: true },
    ...(revision !== undefined && { revision }),
  });
  onTestFinished(() => client.close());
  await client.callTool('go').catch(() => {});
  return result;
}

describe('the tool choice', () => {
  it('"required" is kept by a model that calls a tool', async () => {
    shows('2026-07-28/client/sampling/choice-required');
    const model = scriptedModel([calling]);
    const result = await sampled(model, { ...forecast, toolChoice: { mode: 'required' } });
    expect(result).toMatchObject({
      role: 'assistant',
      content: [
        text('Let me look.'),
        { type: 'tool_use', id: 'call_1', name: 'forecast', input: { days: 1 } },
      ],
      model: 'scripted',
      stopReason: 'toolUse',
    });
    expect(model.requests[0]).toMatchObject({ toolChoice: 'required', tools: [{ name: 'forecast' }] });
  });

  it('"required" is repeated once to a model that calls none', async () => {
    shows('2026-07-28/client/sampling/choice-required');
    const model = scriptedModel(['It is warm.', calling]);
    const result = await sampleWith(model)({ ...forecast, toolChoice: { mode: 'required' } });
    expect(result.stopReason).toBe('toolUse');
    expect(model.requests).toHaveLength(2);
    expect(model.requests[1]).toMatchObject({
      toolChoice: 'required',
      messages: [
        { role: 'user', content: [text('Weather?')] },
        { role: 'assistant', content: [text('It is warm.')] },
        { role: 'user', content: [{ type: 'text' }] },
      ],
    });
    expect(model.requests[1]?.maxTokens).toBeLessThan(100);
  });

  it('"required" is an error when the model calls none again', async () => {
    shows('2026-07-28/client/sampling/choice-required');
    const model = scriptedModel(() => 'It is warm.');
    const sample = sampleWith(model)({ ...forecast, toolChoice: { mode: 'required' } });
    await expect(sample).rejects.toMatchObject({
      name: 'RpcError',
      message: expect.stringContaining('no tool'),
    });
    expect(model.requests).toHaveLength(2);
  });

  it('"required" without tools is an error before the model is called', async () => {
    const model = scriptedModel([calling]);
    const sample = sampleWith(model)({ ...asking, toolChoice: { mode: 'required' } });
    await expect(sample).rejects.toMatchObject({ code: -32602 });
    expect(model.requests).toEqual([]);
  });

  it('rejects two tools of one name', async () => {
    const tools = [tool('forecast'), tool('forecast')];
    const sample = sampleWith(scriptedModel([calling]))({ ...asking, tools });
    await expect(sample).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('one name'),
    });
  });

  it('"none" offers no tools', async () => {
    shows('2026-07-28/client/sampling/choice-none');
    const model = scriptedModel(['It is warm.']);
    const result = await sampled(model, { ...forecast, toolChoice: { mode: 'none' } });
    expect(result).toMatchObject({ content: text('It is warm.'), stopReason: 'endTurn' });
    expect(model.requests[0]).toMatchObject({ tools: [], toolChoice: 'none' });
  });

  it.each<[string, Script, CreateMessageParams]>([
    ['calls a tool in the mode "none"', [calling], { ...forecast, toolChoice: { mode: 'none' } }],
    ['calls a tool without tools', [calling], asking],
    ['calls a tool that the request does not have', [{ calls: [{ name: 'other' }] }], forecast],
  ])('rejects a model that %s', async (_, script, params) => {
    shows('2026-07-28/client/sampling/choice-none');
    await expect(sampleWith(scriptedModel(script))(params)).rejects.toMatchObject({
      name: 'RpcError',
      message: expect.stringContaining('called a tool'),
    });
  });

  it('rejects malformed arguments', async () => {
    const reply = {
      content: [{ type: 'tool_call', id: 'c', name: 'forecast', args: {}, problem: 'Not JSON.' } as const],
      stopReason: 'toolUse',
      usage: { input: 1, output: 1 },
      model: 'm',
    } as const;
    const sample = sampleWith({ name: 'm', reply: async () => reply });
    await expect(sample(forecast)).rejects.toThrow('"forecast" with malformed arguments');
  });
});

describe('preferences', () => {
  const named = (name: string) => scriptedModel(() => name, { name });
  const models = [
    { model: named('gpt-5-large'), cost: 0, speed: 0.2, intelligence: 1 },
    { model: named('claude-haiku'), cost: 0.9, speed: 1, intelligence: 0.4 },
    { model: named('claude-opus'), cost: 0.1, speed: 0.3, intelligence: 0.9 },
    { model: named('tiny'), cost: 1, speed: 0.9, intelligence: 0 },
  ];

  it.each<[string, ModelPreferences, string]>([
    [
      'the first hint that is a part of a name',
      { hints: [{ name: 'gemini' }, { name: 'Tiny' }, { name: 'gpt' }] },
      'tiny',
    ],
    [
      'priorities among the models of a hint',
      { hints: [{ name: 'claude' }], intelligencePriority: 1, costPriority: 0.2 },
      'claude-opus',
    ],
    [
      'priorities when no hint matches',
      { hints: [{ name: 'x' }, {}, { name: '' }], costPriority: 1 },
      'tiny',
    ],
    ['speed', { speedPriority: 1, intelligencePriority: 0.3 }, 'claude-haiku'],
    ['the order of the list without preferences', {}, 'gpt-5-large'],
  ])('choose a model by %s', async (_, modelPreferences, name) => {
    shows('2024-11-05/client/sampling/hints-respected');
    const result = await sampleWith(models)({ ...asking, modelPreferences });
    expect(result).toMatchObject({ model: name, content: text(name) });
  });

  it('reach the model that a server of the first revision prefers', async () => {
    shows('2024-11-05/client/sampling/hints-respected');
    const modelPreferences = { hints: [{ name: 'none-such' }, { name: 'opus' }], speedPriority: 1 };
    const result = await sampled(models, { ...asking, modelPreferences }, '2024-11-05');
    expect(result).toMatchObject({ model: 'claude-opus', content: text('claude-opus') });
  });

  it('reach a function that chooses', async () => {
    const seen: ModelPreferences[] = [];
    const sample = sampleWith(async (preferences) => {
      seen.push(preferences);
      return named('mine');
    });
    const modelPreferences = { hints: [{ name: 'gpt' }], costPriority: 0.5 };
    expect(await sample({ ...asking, modelPreferences })).toMatchObject({ model: 'mine' });
    expect(seen).toEqual([modelPreferences]);
  });

  it('choose nothing from nothing', () => {
    expect(chooseModel([], {})).toBeUndefined();
    expect(() => sampleWith([])).toThrow('the list of models is empty');
  });
});

describe('a sampling request', () => {
  it('reaches the model with its parameters, and no more tokens than allowed', async () => {
    const model = scriptedModel(() => 'Hi.');
    const sample = sampleWith(model, { maxTokens: 50 });
    const params = { systemPrompt: 'Be brief.', temperature: 0.3, stopSequences: ['END'] };
    await sample({ ...asking, ...params, includeContext: 'allServers', metadata: { secret: 1 } });
    await sample({ ...asking, maxTokens: 20 });
    expect(model.requests).toEqual([
      {
        messages: [{ role: 'user', content: [text('Weather?')] }],
        tools: [],
        toolChoice: 'none',
        system: 'Be brief.',
        temperature: 0.3,
        stopSequences: ['END'],
        maxTokens: 50,
      },
      expect.objectContaining({ maxTokens: 20 }),
    ]);
  });

  it('reaches the model without hidden characters in texts, results, arguments and the system prompt', async () => {
    const model = scriptedModel(() => 'Hi.');
    // "!" in a tag character, and a zero-width space.
    const hide = (shown: string) => `${shown}\u{e0021}\u200b`;
    const use = { type: 'tool_use', name: 'plain', input: { [hide('a')]: [hide('b'), 1] } } as const;
    const content = [
      text(hide('c')),
      { type: 'resource_link', name: hide('log'), uri: hide('file:///log') },
      { type: 'resource', resource: { uri: hide('file:///a'), text: hide('A') } },
    ] as const;
    const messages: CreateMessageParams['messages'] = [
      { role: 'user', content: text(hide('Weather?')) },
      {
        role: 'assistant',
        content: [text(hide('One moment.')), { ...use, id: 'u' }, { ...use, id: 'v' }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'u', content },
          { type: 'tool_result', toolUseId: 'v', content: [], structuredContent: { n: hide('1') } },
        ],
      },
    ];
    const tools = [{ ...tool('plain'), description: 'Adds.' }];
    await sampled(model, { ...asking, systemPrompt: hide('Be brief.'), messages, tools });
    const [request] = model.requests;
    expect(request?.system).toBe('Be brief.');
    const args = { a: ['b', 1] };
    expect(request?.messages).toEqual([
      { role: 'user', content: [text('Weather?')] },
      {
        role: 'assistant',
        content: [
          text('One moment.'),
          { type: 'tool_call', id: 'u', name: 'plain', args },
          { type: 'tool_call', id: 'v', name: 'plain', args },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            id: 'u',
            content: [text('c'), text('[Resource file:///log: log]'), text('[Resource file:///a]\nA')],
          },
          { type: 'tool_result', id: 'v', content: [text('{"n":"1"}')] },
        ],
      },
    ]);
  });

  it('has tools by names that models accept, and the server gets its own names back', async () => {
    const tools = [tool('plain'), tool('files/read'), tool('files.read'), tool('1st'), tool('n'.repeat(70))];
    // The script calls the third tool by the name that it has for the model.
    const model = scriptedModel((request) => ({ calls: [{ name: request.tools[2]?.name ?? '' }] }));
    const use = { type: 'tool_use', id: 'u', name: 'files/read', input: { a: 1 } } as const;
    const content = [
      { type: 'resource_link', name: 'log', uri: 'file:///log' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'A' } },
      { type: 'resource', resource: { uri: 'file:///b', blob: 'Yg==' } },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
    ] as const;
    const messages: CreateMessageParams['messages'] = [
      ...asking.messages,
      { role: 'assistant', content: [use, { ...use, id: 'v' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'u', content },
          { type: 'tool_result', toolUseId: 'v', content: [], structuredContent: { n: 1 }, isError: true },
        ],
      },
    ];
    const result = await sampled(model, { ...asking, messages, tools });
    expect(result).toMatchObject({ content: [{ type: 'tool_use', name: 'files.read' }] });
    const [request] = model.requests;
    const names = request?.tools.map(({ name }) => name) ?? [];
    expect(names[0]).toBe('plain');
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
    expect(request?.messages[1]?.content[0]).toEqual({
      type: 'tool_call',
      id: 'u',
      name: names[1],
      args: { a: 1 },
    });
    expect(request?.messages[2]?.content).toMatchObject([
      {
        type: 'tool_result',
        id: 'u',
        content: [
          text('[Resource file:///log: log]'),
          text('[Resource file:///a]\nA'),
          text('[Resource file:///b: binary data (unknown type, 1 bytes), not shown]'),
          { type: 'image', data: 'aW1n' },
        ],
      },
      { type: 'tool_result', id: 'v', content: [text('{"n":1}')], isError: true },
    ]);
  });

  it('fails without a word of the provider, and keeps the reason for the host', async () => {
    const error = new ModelError('rejected', 'The account of team-7 is closed.');
    const model: Model = { name: 'm', reply: () => Promise.reject(error) };
    const failure = await sampleWith(model)(asking).catch((reason: unknown) => reason);
    expect(failure).toMatchObject({
      name: 'RpcError',
      message: 'The model of the client failed (rejected).',
      cause: error,
    });
    const received = await sampled(model, asking, latestHandshake.id);
    expect(received).toMatchObject({
      peerMessage: 'The model of the client failed (rejected).',
      data: undefined,
    });
  });

  it('is cancelled with its signal', async () => {
    const stop = new AbortController();
    stop.abort();
    await expect(sampleWith(scriptedModel(['Hi.']))(asking, stop)).rejects.toThrow('failed (cancelled)');
  });
});
