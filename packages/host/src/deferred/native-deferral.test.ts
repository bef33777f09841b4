import { createServer } from '@tenon/mcp-server';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hosted, serverWith } from '../../test/hosted.js';
import type { HostOptions, NativeToolsOptions } from '../index.js';

const allow: Partial<HostOptions> = { policy: () => 'allow' };
const servers = () => ({
  calendar: createServer({ name: 'any', version: '1' }).tool(
    'create_event',
    { description: 'Creates an event.', input: z.object({ title: z.string() }) },
    ({ title }) => `created ${title}`,
  ),
  'my notes': serverWith('read', 'write'),
});

describe('deferred: native', () => {
  it('marks the tools of servers for Claude, which calls one by its name once it has found it', async () => {
    const { host } = hosted(servers(), allow);
    const { tools, report } = await host.tools({ for: 'anthropic', deferred: 'native' });
    expect(report).toEqual([]);
    expect(
      tools.map((tool) => [tool.name, 'defer_loading' in tool ? tool.defer_loading : undefined]),
    ).toMatchObject([
      ['tool_search_tool_bm25', undefined],
      ['read_result', undefined],
      ['calendar__create_event', true],
      [expect.stringMatching(/^my_notes__read_/), true],
      [expect.stringMatching(/^my_notes__write_/), true],
    ]);
    expect(tools[0]).toEqual({ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' });
    const reply = {
      content: [
        { type: 'server_tool_use', id: 's1', name: 'tool_search_tool_bm25', input: { query: 'event' } },
        {
          type: 'tool_search_tool_result',
          tool_use_id: 's1',
          content: {
            type: 'tool_search_tool_search_result',
            tool_references: [{ type: 'tool_reference', tool_name: 'calendar__create_event' }],
          },
        },
        { type: 'tool_use', id: 't1', name: 'calendar__create_event', input: { title: 'Lunch' } },
      ],
    };
    expect(await host.run(reply)).toMatchObject([{ id: 't1', content: [{ text: 'created Lunch' }] }]);
  });

  it('puts the tools of each server in a namespace for OpenAI, and runs calls with a namespace', async () => {
    const { host } = hosted(servers(), allow);
    const { tools } = await host.tools({ for: 'openai-responses', deferred: 'native' });
    expect(tools).toMatchObject([
      { type: 'tool_search' },
      { type: 'function', name: 'read_result' },
      {
        type: 'namespace',
        name: 'calendar',
        description: 'Tools of calendar: create_event',
        tools: [{ type: 'function', name: 'calendar__create_event', defer_loading: true, strict: false }],
      },
      {
        type: 'namespace',
        name: expect.stringMatching(/^my_notes_[a-z2-7]{16}$/),
        description: 'Tools of my notes: read, write',
        tools: [{ defer_loading: true }, { defer_loading: true }],
      },
    ]);
    expect(tools[1]).not.toHaveProperty('defer_loading');
    const reply = {
      output: [
        { type: 'tool_search_call', id: 'tsc_1', execution: 'server', arguments: { paths: ['calendar'] } },
        {
          type: 'tool_search_output',
          id: 'tso_1',
          tools: [{ type: 'function', name: 'calendar__create_event', parameters: {} }],
        },
        {
          type: 'function_call',
          namespace: 'calendar',
          name: 'calendar__create_event',
          call_id: 'c1',
          arguments: '{"title":"Lunch"}',
        },
      ],
    };
    expect(await host.run(reply, { for: 'openai-responses' })).toMatchObject([
      { id: 'c1', content: [{ text: 'created Lunch' }] },
    ]);
  });

  it('counts the tokens that the model does not see', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `tool${index}`);
    const { host } = hosted({ big: serverWith(...names) }, allow);
    const { tokens: all } = await host.tools({ for: 'anthropic' });
    for (const format of ['anthropic', 'openai-responses'] as const) {
      const { tokens, savedTokens } = await host.tools({ for: format, deferred: 'native' });
      expect(tokens).toBeLessThan(all / 4);
      expect(savedTokens).toBeGreaterThan(all / 2);
    }
  });

  it('says which formats have it when another is asked for', async () => {
    const { host } = hosted(servers(), allow);
    const asked = (format?: string) => host.tools({ for: format, deferred: 'native' } as NativeToolsOptions);
    await expect(asked('gemini')).rejects.toThrow(
      'host.tools(): deferred: "native" needs for: "anthropic" or "openai-responses". Only these models search deferred tools themselves. For "gemini" use deferred: true.',
    );
    await expect(asked()).rejects.toThrow('Set one of them.');
  });

  it('gives no tool of a server the name of the search', async () => {
    const { host } = hosted(
      { one: serverWith('tool_search_tool_bm25', 'ok') },
      { ...allow, prefix: 'collision' },
    );
    const names = (await host.tools()).map(({ name }) => name);
    expect(names).toContain('ok');
    expect(names).not.toContain('tool_search_tool_bm25');
  });
});
