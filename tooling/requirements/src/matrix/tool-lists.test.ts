import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const info = { name: 'bench', version: '1.0.0' };

requirement(['draft-tools/tools/list-answered', 'draft-tools/tools/list-empty'], {}, async ({ serve }) => {
  const empty = await serve(createServer(info, { declare: ['tools'] }));
  expect(empty.client.capabilities.tools).toBeDefined();
  expect(await empty.client.tools().all()).toEqual([]);
  const server = createServer(info)
    .tool('seen', {}, () => '')
    .tool('unseen', { visible: () => false }, () => '');
  const { client } = await serve(server);
  expect((await client.tools().all()).map(({ name }) => name)).toEqual(['seen']);
});

requirement(
  ['draft-tools/tools/not-per-connection', 'draft-tools/tools/deterministic-order'],
  {},
  async ({ serve }) => {
    const server = createServer(info, { limits: { pageSize: 2 } });
    for (const name of ['saw', 'chisel', 'plane', 'adze', 'file']) server.tool(name, {}, () => '');
    const [one, two] = [await serve(server), await serve(server)];
    const before = await one.client.tools().all();
    await one.client.request('tools/call', { name: 'saw' });
    await one.client.request('tools/call', { name: 'nobody' }).catch(() => {});
    expect(await one.client.tools().all()).toEqual(before);
    expect(await two.client.tools().all()).toEqual(before);
    expect(before.map(({ name }) => name)).toEqual(['saw', 'chisel', 'plane', 'adze', 'file']);
  },
);
