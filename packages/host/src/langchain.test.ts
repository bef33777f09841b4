import { AIMessage, type ToolMessage } from '@langchain/core/messages';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../test/hosted.js';
import type { Host, HostOptions } from './index.js';
import { type LangchainToolsOptions, langchainTools } from './langchain.js';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const allow: Partial<HostOptions> = { policy: () => 'allow' };

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
const servers = () => ({ weather: weather(), camera: camera(), notes: serverWith('read', 'write') });

/** Calls a tool as an agent of LangChain does: with the call of a message of a model. */
async function call(host: Host, [name, args]: [string, object?], options: LangchainToolsOptions = {}) {
  const message = new AIMessage({
    content: '',
    tool_calls: [{ id: 'call-1', type: 'tool_call', name, args: { ...args } }],
  });
  const tools = await langchainTools(host, options);
  const [made] = message.tool_calls ?? [];
  const tool = tools.find((one) => one.name === name);
  return (await tool?.invoke({ ...made, name, args: { ...args }, type: 'tool_call' })) as ToolMessage;
}

describe('langchainTools', () => {
  it('answers the call of a model with a message, with the policy, consent and audit log of the host', async () => {
    const { host, records, questions } = hosted(servers());
    const message = await call(host, ['weather__forecast', { city: 'Oslo', days: null }], {
      user: 'ada',
      turn: 7,
    });
    expect(message).toMatchObject({
      status: 'success',
      name: 'weather__forecast',
      tool_call_id: 'call-1',
      content: '{"text":"Oslo: sun, 1 day"}',
      artifact: { structuredContent: { text: 'Oslo: sun, 1 day' } },
    });
    expect(questions).toMatchObject([{ request: { kind: 'tool', server: 'weather', name: 'forecast' } }]);
    expect(records.at(-1)).toMatchObject({
      way: 'model',
      callId: 'call-1',
      user: 'ada',
      turn: '7',
      outcome: 'done',
    });
  });

  it('lists the tools of three servers with their schemas', async () => {
    const { host } = hosted(servers());
    const tools = await langchainTools(host);
    expect(tools.map(({ name }) => name)).toEqual([
      'camera__fail',
      'camera__look',
      'notes__read',
      'notes__write',
      'weather__forecast',
      'read_result',
    ]);
    expect(tools[4]).toMatchObject({
      description: 'Returns the weather of tomorrow.',
      schema: { type: 'object', required: ['city'] },
    });
  });

  it('returns content without a message to a program that invokes a tool itself', async () => {
    const { host, records } = hosted(servers(), allow);
    const [, , read] = await langchainTools(host);
    expect(await read?.invoke({ page: 1 })).toBe('read ran');
    expect(records.at(-1)?.callId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('returns images as content blocks', async () => {
    const { host } = hosted(servers(), allow);
    const { content, contentBlocks } = await call(host, ['camera__look']);
    expect(content).toEqual([{ type: 'image', source_type: 'base64', mime_type: 'image/png', data: pixel }]);
    expect(contentBlocks).toMatchObject([{ type: 'image', mimeType: 'image/png', data: pixel }]);
  });

  it('returns failures, refusals and malformed arguments as messages with the status error', async () => {
    const policy: HostOptions['policy'] = ({ server }) => (server === 'notes' ? 'ask' : 'allow');
    const { host } = hosted(servers(), { answer: 'no', policy });
    expect(await call(host, ['camera__fail'])).toMatchObject({
      status: 'error',
      content: 'The lens is dirty.',
      artifact: { isError: true },
    });
    expect(await call(host, ['notes__write'])).toMatchObject({
      status: 'error',
      content: expect.stringMatching(/notes.*Do not call it again/s),
    });
    expect(await call(host, ['weather__forecast', { city: 7 }])).toMatchObject({
      status: 'error',
      tool_call_id: 'call-1',
      content: expect.stringMatching(/did not match expected schema.*city.*Make the call again/s),
    });
  });

  it('ends a call with the signal of LangChain', async () => {
    const controller = new AbortController();
    const slow = createServer({ name: 'any', version: '1' }).tool('wait', {}, (_input, { signal }) => {
      controller.abort();
      return new Promise<string>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    });
    const { host, records } = hosted({ slow }, allow);
    const [wait] = await langchainTools(host);
    await expect(wait?.invoke({}, { signal: controller.signal })).rejects.toThrow(/abort/i);
    await host.close();
    expect(records.at(-1)).toMatchObject({ name: 'wait', outcome: 'cancelled' });
  });

  it('rejects a wrong maxChars before the model can call a tool', async () => {
    const { host } = hosted(servers());
    await expect(langchainTools(host, { maxChars: 0 })).rejects.toThrow(
      'langchainTools: maxChars must be a number',
    );
  });

  it('lets the model find deferred tools', async () => {
    const { host } = hosted(servers(), allow);
    const found = await call(host, ['search_tools', { query: 'weather' }], { deferred: true });
    expect(found.content).toMatch(/^weather__forecast: Returns the weather/);
  });
});
