import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createServer } from '@tenon/mcp-server';
import { insideRoots } from '@tenon/mcp-server/roots';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

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
  [
    '2024-11-05/client/roots/capability',
    '2024-11-05/client/roots/file-uri',
    '2024-11-05/client/roots/access-controls',
    '2024-11-05/client/roots/name',
    '2025-03-26/roots/list',
    '2025-03-26/roots/uri',
    '2025-03-26/roots/name',
    '2025-03-26/roots/list-changed-declared',
  ],
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

requirement(
  ['2024-11-05/client/roots/list-changed', '2024-11-05/client/roots/changes-handled'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench(), { roots: [] });
    await client.setRoots([{ uri: 'file:///b' }]);
    expect(wire.sent('client', 'notifications/roots/list_changed')).toHaveLength(1);
    expect((await client.callTool('where')).content).toMatchObject([{ text: '[{"uri":"file:///b"}]' }]);
  },
);

requirement(
  ['2024-11-05/client/roots/capability-checked', '2024-11-05/client/roots/unsupported-error'],
  {},
  async ({ serve }) => {
    const { client, wire } = await serve(bench());
    expect((await client.callTool('where')).content).toMatchObject([{ text: 'nowhere' }]);
    expect(wire.sent('server', 'roots/list')).toEqual([]);
  },
);

requirement(['2024-11-05/client/roots/internal-error'], {}, async ({ serve }) => {
  const broken = () => {
    throw new Error('The disk at /home/ada is full.');
  };
  const { client, wire } = await serve(bench(), { roots: broken, onError: () => {} });
  expect((await client.callTool('where')).content).toMatchObject([
    { text: expect.stringContaining('roots/list: Internal error') },
  ]);
  expect(wire.answer('roots/list', 'server').error).toMatchObject({ code: -32_603 });
  expect(JSON.stringify(wire.frames)).not.toContain('/home/ada');
});

requirement(['2024-11-05/client/roots/cached'], {}, async ({ serve }) => {
  const server = bench().tool('inside', {}, async (_, ctx) => {
    const guard = insideRoots(await ctx.roots('folders'));
    const allowed = [tmpdir(), join(tmpdir(), 'a'), '/none/such'].map((path) =>
      guard.resolve(path).then(
        () => true,
        () => false,
      ),
    );
    return JSON.stringify(await Promise.all(allowed));
  });
  const { client, wire } = await serve(server, { roots: [{ uri: `${pathToFileURL(tmpdir())}` }] });
  const inside = async () => (await client.callTool('inside')).content;
  // One request serves the whole call; the next call requests roots again.
  expect(await inside()).toMatchObject([{ text: '[true,true,false]' }]);
  expect(wire.sent('server', 'roots/list')).toHaveLength(1);
  await client.setRoots([{ uri: 'file:///none/such' }]);
  expect(await inside()).not.toMatchObject([{ text: '[true,true,false]' }]);
  expect(wire.sent('server', 'roots/list')).toHaveLength(2);
});
