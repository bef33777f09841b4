import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

function bench(pageSize: number) {
  const server = createServer({ name: 'bench', version: '1.0.0' }, { limits: { pageSize } });
  for (const name of ['saw', 'plane', 'chisel', 'rasp', 'file'])
    server.tool(name, {}, () => '').prompt(name, {}, () => '');
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    server.resource(`plan://${name}`, {}, () => '').resource(`plan://${name}/{part}`, {}, () => '');
  return server;
}

const lists = ['tools', 'prompts', 'resources', 'resourceTemplates'] as const;
const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'] as const;

requirement(
  [
    '2024-11-05/server/utilities/pagination/page-size',
    '2024-11-05/server/utilities/pagination/missing-cursor-ends',
    '2024-11-05/server/utilities/pagination/both-flows',
    '2024-11-05/server/utilities/pagination/opaque-content',
    '2024-11-05/server/utilities/pagination/operations',
    '2025-03-26/pagination/next-cursor',
    '2025-03-26/pagination/cursor-sent',
    '2025-03-26/pagination/operations',
    '2025-11-25-server-features/tools/list',
    '2025-11-25-server-features/prompts/list',
    '2025-11-25-server-features/resources/list',
  ],
  {},
  async ({ serve }) => {
    for (const [pageSize, pages] of [
      [2, 3],
      [4, 2],
      [5, 1],
    ] as const) {
      const { client, wire } = await serve(bench(pageSize));
      for (const [at, list] of lists.entries()) {
        expect(await client[list]().all()).toHaveLength(5);
        const asked = wire.sent('client', methods[at] ?? '');
        expect(asked).toHaveLength(pages);
        const given = wire
          .from('server')
          .flatMap(({ id, result }) =>
            asked.some((one) => one.id === id) && result !== undefined ? [result.nextCursor] : [],
          );
        expect(asked.map(({ params }) => params?.cursor)).toEqual([undefined, ...given.slice(0, -1)]);
        expect(given.at(-1)).toBeUndefined();
      }
    }
  },
);

requirement(
  [
    '2024-11-05/server/utilities/pagination/invalid-cursors-handled',
    '2024-11-05/server/utilities/pagination/invalid-cursor-code',
  ],
  {},
  async ({ serve }) => {
    const { client } = await serve(bench(2));
    for (const method of methods)
      for (const cursor of ['nonsense', '', 'bm9ib2R5', 'x'.repeat(100_000)])
        await expect(client.request(method, { cursor })).rejects.toMatchObject({ code: -32_602 });
  },
);

requirement(['2024-11-05/server/utilities/pagination/not-persisted'], {}, async ({ serve }) => {
  const server = bench(2);
  const first = await serve(server);
  for await (const tool of first.client.tools()) if (tool.name === 'chisel') break;
  await first.client.close();
  const second = await serve(server);
  await second.client.tools().all();
  expect(second.wire.sent('client', 'tools/list')[0]?.params?.cursor).toBeUndefined();
});
