import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { z } from 'zod';
import { requirement } from './requirement.js';

const info = { name: 'bench', version: '1.0.0' };
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
const pair = {
  type: 'object',
  properties: { pair: { prefixItems: [{ type: 'number' }, { type: 'string' }] } },
} as const;

requirement(
  [
    '2025-11-25-server-features/tools/definition',
    '2025-11-25-server-features/tools/annotations-carried',
    '2025-11-25-server-features/tools/output-optional',
    '2025-03-26/tools/members',
    '2025-03-26/tools/list',
    '2025-03-26/tools/annotations',
  ],
  {},
  async ({ serve, revision }) => {
    const server = createServer(info)
      .tool(
        'saw',
        {
          title: 'Saw a board',
          description: 'Saws a board',
          input: z.object({ boards: z.number() }),
          output: z.object({ sawn: z.number() }),
          annotations,
        },
        ({ boards }) => ({ sawn: boards }),
      )
      .tool('measure', {}, () => '40 mm');
    const { client, wire } = await serve(server);
    const [saw, measure] = await client.tools().all();
    expect(wire.answer('tools/list').result?.tools).toEqual([saw, measure]);
    expect(saw).toMatchObject({ name: 'saw', description: 'Saws a board' });
    expect(saw?.inputSchema).toMatchObject({ type: 'object', required: ['boards'] });
    expect(measure?.inputSchema).toMatchObject({ type: 'object' });
    if (revision < '2025-06-18') {
      expect(measure).toHaveProperty('description');
      const members = ['description', 'inputSchema', 'name'];
      if (revision > '2024-11-05') members.unshift('annotations');
      expect(Object.keys(saw ?? {}).sort()).toEqual(members);
      expect(saw?.annotations).toEqual(revision > '2024-11-05' ? annotations : undefined);
      return;
    }
    expect(saw).toMatchObject({
      title: 'Saw a board',
      annotations,
      outputSchema: { properties: { sawn: { type: 'number' } } },
    });
    expect(measure).not.toHaveProperty('outputSchema');
  },
);

requirement(
  [
    '2025-11-25-server-features/tools/name-length',
    '2025-11-25-server-features/tools/name-case',
    '2025-11-25-server-features/tools/name-characters',
    '2025-11-25-server-features/tools/name-no-others',
    '2025-11-25-server-features/tools/name-unique',
  ],
  {},
  async ({ serve }) => {
    const names = ['a', 'A', 'x'.repeat(128), 'getUser', 'DATA_EXPORT_v2', 'admin.tools.list', 'with-hyphen'];
    const server = createServer(info);
    for (const name of names) server.tool(name, {}, () => name);
    for (const name of ['', 'x'.repeat(129), 'a b', 'a,b', 'a/b', 'ä', 'a\n', 'getUser'])
      expect(() => server.tool(name, {}, () => '')).toThrow(TypeError);
    const { client } = await serve(server);
    expect((await client.tools().all()).map(({ name }) => name)).toEqual(names);
    for (const name of ['a', 'A'])
      expect(await client.request('tools/call', { name })).toMatchObject({ content: [{ text: name }] });
  },
);

requirement(
  [
    '2025-11-25-server-features/tools/input-schema',
    '2025-11-25-server-features/tools/default-dialect',
    'draft-tools/tools/dialect-default',
  ],
  {},
  async ({ serve }) => {
    const server = createServer(info);
    for (const input of [null, [], 'object', { type: 'string' }, {}])
      expect(() => server.tool('bad', { input: input as never }, () => '')).toThrow(TypeError);
    // Only 2020-12 has prefixItems.
    server.tool('join', { input: pair }, () => 'Joined');
    const { client } = await serve(server);
    expect((await client.tools().all())[0]?.inputSchema).toEqual(pair);
    const join = (value: unknown) =>
      client.request('tools/call', { name: 'join', arguments: { pair: value } });
    expect(await join([1, 'a'])).toMatchObject({ content: [{ text: 'Joined' }] });
    expect(await join(['a', 1])).toMatchObject({ isError: true });
  },
);

requirement(['draft-tools/tools/dialect-draft-07'], {}, async ({ serve }) => {
  const $schema = 'http://json-schema.org/draft-07/schema#';
  const properties = { a: { type: 'number' }, b: { items: [{ type: 'string' }] } } as const;
  const input = { $schema, type: 'object', properties, required: ['a'] } as const;
  const { client } = await serve(createServer(info).tool('sum', { input }, ({ a }) => `${a}`));
  expect((await client.tools().all())[0]?.inputSchema).toEqual(input);
  const sum = (given: object) => client.request('tools/call', { name: 'sum', arguments: given as never });
  expect(await sum({ a: 1, b: ['x'] })).toMatchObject({ content: [{ text: '1' }] });
  // An array as `items` is a tuple in draft-07.
  expect(await sum({ a: 1, b: [2] })).toMatchObject({ isError: true });
});

requirement(
  ['2025-11-25-server-features/tools/no-parameters', 'draft-tools/tools/no-parameters-example'],
  {},
  async ({ serve }) => {
    const { client } = await serve(createServer(info).tool('now', {}, () => 'noon'));
    expect((await client.tools().all())[0]?.inputSchema).toEqual({
      type: 'object',
      additionalProperties: false,
    });
    expect(await client.callTool('now')).toMatchObject({ content: [{ text: 'noon' }] });
    const given = { name: 'now', arguments: { zone: 'UTC' } };
    expect(await client.request('tools/call', given)).toMatchObject({ isError: true });
  },
);
