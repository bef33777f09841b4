import { createServer } from '@tenon/mcp-server';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../test/hosted.js';
import { aiTools } from './ai-sdk.js';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const weather = () =>
  createServer({ name: 'any', version: '1' }).tool(
    'forecast',
    {
      description: 'Returns the weather of tomorrow.',
      input: z.object({ city: z.string(), days: z.number().optional() }),
      output: z.object({ text: z.string() }),
    },
    ({ city, days = 1 }) => ({ text: `${city}: sun, ${days} day` }),
  );
const camera = () =>
  createServer({ name: 'any', version: '1' })
    .tool('look', {}, () => ({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] }))
    .tool('fail', {}, () => ({ content: [{ type: 'text', text: 'The lens is dirty.' }], isError: true }));

type Call = readonly [name: string, input?: object];

/** Returns a model that makes the calls of each reply, and says "done" in the last. */
function model(...replies: readonly (readonly Call[])[]): MockLanguageModelV4 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  let id = 0;
  const mock: MockLanguageModelV4 = new MockLanguageModelV4({
    doGenerate: async () => {
      const calls = replies[mock.doGenerateCalls.length - 1] ?? [];
      const content = calls.map(([toolName, input = {}]) => ({
        type: 'tool-call' as const,
        toolCallId: `call-${++id}`,
        toolName,
        input: JSON.stringify(input),
      }));
      return {
        content: content.length > 0 ? content : [{ type: 'text', text: 'done' }],
        finishReason: { unified: content.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  return mock;
}

/** Returns the outputs of tools that the model received in its last request. */
function outputs({ doGenerateCalls }: MockLanguageModelV4): unknown[] {
  return (doGenerateCalls.at(-1)?.prompt ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : [])) : [],
  );
}

const servers = () => ({ weather: weather(), camera: camera(), notes: serverWith('read', 'write') });
const always = { stopWhen: isStepCount(5), prompt: 'Go.' };

describe('aiTools', () => {
  it('lets the AI SDK call the tools of three servers, with the policy, consent and audit log of the host', async () => {
    const { host, records, questions } = hosted(servers());
    const mock = model(
      [
        ['weather__forecast', { city: 'Oslo', days: null }],
        ['notes__read', { page: 1 }],
      ],
      [],
    );
    const { text, steps } = await generateText({
      model: mock,
      tools: await aiTools(host, { user: 'ada', turn: 7 }),
      ...always,
    });
    expect(text).toBe('done');
    expect(outputs(mock)).toEqual([
      { type: 'text', value: '{"text":"Oslo: sun, 1 day"}' },
      { type: 'text', value: 'read ran' },
    ]);
    expect(steps[0]?.toolResults[0]).toMatchObject({
      dynamic: true,
      output: { server: 'weather', tool: 'forecast', structuredContent: { text: 'Oslo: sun, 1 day' } },
    });
    expect(questions.map(({ request }) => request.kind === 'tool' && request.name).sort()).toEqual([
      'forecast',
      'read',
    ]);
    const done = records.filter(({ outcome }) => outcome === 'done');
    expect(done.sort((a, b) => a.name.localeCompare(b.name))).toMatchObject([
      { way: 'model', callId: 'call-1', user: 'ada', turn: '7', name: 'forecast' },
      { way: 'model', callId: 'call-2', user: 'ada', turn: '7', name: 'read' },
    ]);
  });

  it('describes the tools to the model with schemas', async () => {
    const { host } = hosted(servers());
    const mock = model([]);
    await generateText({ model: mock, tools: await aiTools(host, { strict: true }), prompt: 'Go.' });
    const offered = mock.doGenerateCalls[0]?.tools ?? [];
    expect(offered.map(({ name }) => name)).toEqual([
      'camera__fail',
      'camera__look',
      'notes__read',
      'notes__write',
      'weather__forecast',
      'read_result',
    ]);
    expect(offered[4]).toMatchObject({
      type: 'function',
      description: 'Returns the weather of tomorrow.',
      strict: true,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
    });
  });

  it('passes images to the model, and failures and refusals as error texts', async () => {
    const { host } = hosted(servers(), {
      answer: 'no',
      policy: ({ server }) => (server === 'camera' ? 'allow' : 'ask'),
    });
    const mock = model([['camera__look'], ['camera__fail'], ['notes__write', { text: 'x' }]], []);
    await generateText({ model: mock, tools: await aiTools(host), ...always });
    expect(outputs(mock)).toMatchObject([
      { type: 'content', value: [{ type: 'file', mediaType: 'image/png' }] },
      { type: 'error-text', value: 'The lens is dirty.' },
      { type: 'error-text', value: expect.stringMatching(/notes.*Do not call it again/s) },
    ]);
    expect(JSON.stringify(outputs(mock)[0])).toContain(pixel);
  });

  it('stores outputs in messages that later requests send again', async () => {
    const { host } = hosted(servers(), { policy: () => 'allow' });
    const tools = await aiTools(host);
    const { responseMessages } = await generateText({
      model: model([['camera__look']], []),
      tools,
      ...always,
    });
    const stored = JSON.parse(JSON.stringify(responseMessages)) as ModelMessage[];
    const next = model([]);
    await generateText({ model: next, tools, messages: [{ role: 'user', content: 'Go.' }, ...stored] });
    expect(outputs(next)).toMatchObject([{ type: 'content', value: [{ type: 'file' }] }]);
  });

  it('ends a call with the generation', async () => {
    const controller = new AbortController();
    const slow = createServer({ name: 'any', version: '1' }).tool('wait', {}, (_input, { signal }) => {
      controller.abort();
      return new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const { host, records } = hosted({ slow }, { policy: () => 'allow' });
    const generating = generateText({
      model: model([['slow__wait']], []),
      tools: await aiTools(host),
      abortSignal: controller.signal,
      ...always,
    });
    await expect(generating).rejects.toThrow(/abort/i);
    await host.close();
    expect(records.at(-1)).toMatchObject({ name: 'wait', outcome: 'cancelled' });
  });

  it('rejects a wrong maxChars before the model can call a tool', async () => {
    const { host } = hosted(servers());
    await expect(aiTools(host, { maxChars: 0 })).rejects.toThrow('aiTools: maxChars must be a number');
  });

  it('lets the model find deferred tools', async () => {
    const { host, records } = hosted(servers(), { policy: () => 'allow' });
    const mock = model(
      [['search_tools', { query: 'weather' }]],
      [['call_tool', { name: 'weather__forecast', arguments: { city: 'Rome' } }]],
      [],
    );
    await generateText({ model: mock, tools: await aiTools(host, { deferred: true }), ...always });
    expect(mock.doGenerateCalls[0]?.tools?.map(({ name }) => name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
      'read_result',
    ]);
    expect(outputs(mock)).toMatchObject([
      { type: 'text', value: expect.stringMatching(/^weather__forecast: Returns the weather/) },
      { type: 'text', value: '{"text":"Rome: sun, 1 day"}' },
    ]);
    expect(records.at(-1)).toMatchObject({ way: 'search', callId: 'call-2', name: 'forecast' });
  });
});
