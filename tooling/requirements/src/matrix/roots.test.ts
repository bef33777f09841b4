import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const roots = '2024-11-05/client/roots';

function bench() {
  return createServer({ name: 'bench', version: '1.0.0' }, { onError: () => {} }).tool(
    'where',
    {},
    async (_, ctx) => {
      if (!ctx.can('roots')) return 'nowhere';
      const found = await ctx.roots('folders').catch((error: unknown) => `${error}`);
      return JSON.stringify(found);
    },
  );
}

requirement(
  [`${roots}/capability`, `${roots}/file-uri`, `${roots}/access-controls`],
  {},
  async ({ serve }) => {
    const given = [{ uri: 'file:///plans', name: 'Plans' }];
    const { client, wire } = await serve(bench(), { roots: given });
    expect(wire.sent('client', 'initialize')[0]?.params?.capabilities).toEqual({
      roots: { listChanged: true },
    });
    expect((await client.callTool('where')).content).toMatchObject([{ text: JSON.stringify(given) }]);
    expect(wire.answer('roots/list', 'server').result).toEqual({ roots: given });
    await expect(client.setRoots([{ uri: 'https://example.com' }])).rejects.toThrow('file://');
  },
);

requirement([`${roots}/list-changed`], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench(), { roots: [] });
  await client.setRoots([{ uri: 'file:///b' }]);
  expect(wire.sent('client', 'notifications/roots/list_changed')).toHaveLength(1);
  expect((await client.callTool('where')).content).toMatchObject([{ text: '[{"uri":"file:///b"}]' }]);
});

requirement([`${roots}/capability-checked`, `${roots}/unsupported-error`], {}, async ({ serve }) => {
  const { client, wire } = await serve(bench());
  expect((await client.callTool('where')).content).toMatchObject([{ text: 'nowhere' }]);
  expect(wire.sent('server', 'roots/list')).toEqual([]);
});

requirement([`${roots}/internal-error`], {}, async ({ serve }) => {
  const broken = () => {
    throw new Error('The disk at /home/ada is full.');
  };
  const { client, wire } = await serve(bench(), { roots: broken, onError: () => {} });
  expect((await client.callTool('where')).content).toMatchObject([
    { text: expect.stringContaining('The tool "where" failed.') },
  ]);
  expect(wire.answer('roots/list', 'server').error).toMatchObject({ code: -32_603 });
  expect(JSON.stringify(wire.frames)).not.toContain('/home/ada');
});
