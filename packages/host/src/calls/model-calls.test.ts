import { memoryTarget } from '@tenon/mcp-client/memory';
import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../../test/hosted.js';
import { program } from '../../test/program.js';
import type { HostOptions, HostToolResult } from '../index.js';
import { converse } from '../models/loop/converse.js';
import type { Model } from '../models/model.js';

const allow: Partial<HostOptions> = { policy: () => 'allow' };
const textOf = ({ content }: HostToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : part.type)).join('|');

const adder = () =>
  createServer({ name: 'any', version: '1' })
    .tool(
      'add',
      { input: z.object({ a: z.number(), b: z.number().optional() }) },
      ({ a, b = 0 }) => `${a + b}`,
    )
    .tool('throws', {}, () => {
      throw new Error('secret path /home/ada');
    });

describe('run', () => {
  it('runs the calls of a reply in any format, and returns results in their order', async () => {
    const { host, records } = hosted({ math: adder() }, allow);
    const anthropic = {
      content: [
        { type: 'text', text: 'I add.' },
        { type: 'tool_use', id: '1', name: 'math__add', input: { a: 1, b: 2 } },
      ],
    };
    const openai = {
      tool_calls: [
        { id: '2', type: 'function', function: { name: 'math__add', arguments: '{"a":3,"b":null}' } },
      ],
    };
    expect((await host.run(anthropic, { turn: 1, user: 'ada' })).map(textOf)).toEqual(['3']);
    expect(await host.run(openai)).toMatchObject([
      { id: '2', name: 'math__add', server: 'math', tool: 'add', content: [{ text: '3' }] },
    ]);
    expect(records[1]).toMatchObject({ way: 'model', callId: '1', turn: '1', user: 'ada', outcome: 'done' });
  });

  it.each([
    [{ for: 'antropic' }, 'host.run: there is no format "antropic". Did you mean "anthropic"?'],
    [{ for: 'toString' }, 'There are: anthropic, openai, openai-responses, gemini, ai-sdk.'],
    [{ for: null }, 'there is no format "null"'],
    [{ maxChars: 0 }, 'host.run: maxChars must be a number, 1 or more.'],
    [{ maxChars: '9' }, 'host.run: maxChars must be a number, 1 or more.'],
  ])('rejects before it sends a call when the options are %j', async (options, message) => {
    const { host, records } = hosted({ math: adder() }, allow);
    const call = { type: 'tool_use', id: '1', name: 'math__add', input: { a: 1 } };
    await expect(host.run([call], options as never)).rejects.toThrow(message);
    await expect(host.run([], options as never)).rejects.toThrow(message);
    expect(records).toEqual([]);
  });

  it.each([
    { for: 'antropic' },
    { for: 'antropic', deferred: true },
    { for: 'antropic', deferred: 'native' },
    { for: 'gemini', deferred: 'native' },
  ])('starts no server to list its tools for %j', async (options) => {
    const { host } = hosted({ math: adder() }, allow);
    const before = host.servers.list();
    const message = options.for === 'gemini' ? 'use deferred: true' : 'Did you mean "anthropic"?';
    await expect(host.tools(options as never)).rejects.toThrow(message);
    expect(host.servers.list()).toEqual(before);
  });

  it('turns all that goes wrong into text for the model, and never rejects', async () => {
    const { target } = program();
    const policy: HostOptions['policy'] = ({ name }) =>
      name === 'read' ? { action: 'deny', reason: 'it is private.' } : 'allow';
    const { host } = hosted({ math: adder(), notes: serverWith('read') }, { policy });
    host.servers.add('files', target);
    host.servers.add('broken', () => {
      throw new Error('no such program');
    });
    const call = (id: string, name: string, text = '{}') => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    });
    const results = await host.run(
      [
        call('1', 'math__ad'),
        call('2', 'math__add', '{"a":'),
        call('3', 'math__add', '{"a":"x"}'),
        call('4', 'math__throws'),
        call('5', 'notes__read'),
        call('6', 'files__exit'),
        call('7', 'files__hang'),
      ],
      { timeout: 1_000 },
    );
    expect(results.map(({ id, isError }) => [id, isError])).toEqual(
      ['1', '2', '3', '4', '5', '6', '7'].map((id) => [id, true]),
    );
    const texts = results.map(textOf);
    expect(texts[0]).toMatch(/There is no tool "math__ad". Did you mean "math__add"\?/);
    expect(texts[1]).toMatch(/JSON/);
    expect(texts[2]).toMatch(/a: /);
    expect(texts[3]).not.toContain('/home/ada');
    expect(texts[4]).toMatch(/does not allow the tool "read" of notes: it is private\. Do not call it again/);
    expect(texts[5]).toMatch(/may or may not have run.*Find out before you call it again\.$/);
    expect(texts[6]).toMatch(/may or may not have run/);
  });

  it('cuts a long result, and lets the same user read the rest', async () => {
    const long = `${'x'.repeat(5_000)}END`;
    const server = createServer({ name: 'any', version: '1' }).tool('long', {}, () => long);
    const { host } = hosted({ one: server }, allow);
    const [cut] = await host.run([{ type: 'tool_use', id: '1', name: 'one__long', input: {} }], {
      maxChars: 1_000,
      user: 'ada',
    });
    expect(textOf(cut as HostToolResult).length).toBeLessThan(1_500);
    const [, uri] = /(tenon-result:[\w-]+)/.exec(textOf(cut as HostToolResult)) ?? [];
    const reading = [{ type: 'tool_use', id: '2', name: 'read_result', input: { uri, offset: 4_990 } }];
    expect((await host.run(reading, { user: 'ada' })).map(textOf)).toEqual([`${'x'.repeat(10)}END`]);
    expect(await host.run(reading, { user: 'bob' })).toMatchObject([{ isError: true }]);
  });
});

describe('deferred tools', () => {
  const servers = () => ({
    calendar: createServer({ name: 'any', version: '1' }).tool(
      'createEvent',
      { description: 'Creates an event in the calendar.', input: z.object({ title: z.string() }) },
      ({ title }) => `created ${title}`,
    ),
    math: adder(),
  });

  it('are found, described and called through tools that do not depend on the servers', async () => {
    const { host, records } = hosted(servers(), allow);
    const one = await host.tools({ for: 'openai', deferred: true });
    expect(one.tools.map((tool) => tool.function.name)).toEqual([
      'search_tools',
      'describe_tool',
      'call_tool',
      'read_result',
    ]);
    for (const format of ['anthropic', 'openai', 'openai-responses', 'gemini'] as const)
      expect(
        (await host.tools({ for: format, strict: true, deferred: true })).report.map(({ tool }) => tool),
      ).not.toContain('read_result');
    host.servers.add('more', memoryTarget(serverWith('x', 'y')));
    expect(JSON.stringify((await host.tools({ for: 'openai', deferred: true })).tools)).toBe(
      JSON.stringify(one.tools),
    );
    const use = async (name: string, input: object) => {
      const [result] = await host.run([{ type: 'tool_use', id: '1', name, input }]);
      return textOf(result as HostToolResult);
    };
    expect(await use('search_tools', { query: 'event for the calendar', limit: 1 })).toBe(
      'calendar__createEvent: Creates an event in the calendar.',
    );
    expect(JSON.parse(await use('describe_tool', { name: 'calendar__createEvent' }))).toMatchObject({
      server: 'calendar',
      inputSchema: { required: ['title'] },
    });
    expect(await use('call_tool', { name: 'calendar__createEvent', arguments: { title: 'Lunch' } })).toBe(
      'created Lunch',
    );
    expect(records.at(-1)).toMatchObject({ way: 'search', server: 'calendar', name: 'createEvent' });
    expect(await use('call_tool', { name: 'nope' })).toMatch(/There is no tool "nope"/);
    expect(await use('call_tool', { name: 'calendar__createEvent', arguments: 'x' })).toMatch(
      /must be an object/,
    );
    expect(await use('search_tools', {})).toMatch(/Give a query/);
  });

  it('pass the policy as all calls do', async () => {
    const { host } = hosted(servers(), {
      policy: ({ origin }) => (origin.way === 'search' ? 'deny' : 'allow'),
    });
    const input = { name: 'calendar__createEvent', arguments: { title: 'x' } };
    expect(await host.run([{ type: 'tool_use', id: '1', name: 'call_tool', input }])).toMatchObject([
      { isError: true },
    ]);
  });

  it('report the tokens that they save', async () => {
    const { host } = hosted(
      { big: serverWith(...Array.from({ length: 100 }, (_, index) => `tool${index}`)) },
      allow,
    );
    const all = await host.tools({ for: 'anthropic' });
    const deferred = await host.tools({ for: 'anthropic', deferred: true });
    expect(all.savedTokens).toBe(0);
    expect(deferred.tokens).toBeLessThan(all.tokens / 2);
    expect(deferred.savedTokens).toBeGreaterThan(all.tokens / 2);
  });

  it('do not hide a tool of a server with the same name', async () => {
    const { host } = hosted({ one: serverWith('search_tools', 'ok') }, { ...allow, prefix: 'collision' });
    const names = (await host.tools()).map(({ name }) => name);
    expect(names).toContain('ok');
    expect(names).not.toContain('search_tools');
  });
});

it('drives a conversation with a model, which sees results of tools', async () => {
  const { host } = hosted({ math: adder() }, allow);
  const model: Model = {
    name: 'test',
    reply: async ({ messages }) => {
      const results = messages.flatMap(({ content }) =>
        content.filter((block) => block.type === 'tool_result'),
      );
      const usage = { input: 1, output: 1 };
      if (results.length === 0) {
        const call = { type: 'tool_call', id: '1', name: 'math__add', args: { a: 20, b: 22 } } as const;
        return { content: [call], stopReason: 'toolUse', usage, model: 'test' };
      }
      return {
        content: [{ type: 'text', text: JSON.stringify(results[0]?.content) }],
        stopReason: 'endTurn',
        usage,
        model: 'test',
      };
    },
  };
  const { text } = await converse({
    model,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Add.' }] }],
    tools: () => host.modelTools(),
    run: (calls, context) => host.run(calls, context),
  });
  expect(text).toContain('42');
});
