import { createServer } from '@tenon/mcp-server';
import { expect } from 'vitest';
import { requirement } from './requirement.js';

const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

/** Five entries of each list, two per page. */
function make() {
  const server = createServer({ name: 'paged', version: '1.0.0' }, { limits: { pageSize: 2 } });
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    server.tool(name, {}, () => 'x');
    server.prompt(name, {}, () => 'x');
    server.resource(`x://${name}`, {}, () => 'x');
    server.resource(`x://${name}/{id}`, {}, () => 'x');
  }
  return server;
}

requirement(['2026-07-28/server/utilities/pagination/operations'], {}, async ({ serve }) => {
  const { client, wire } = await serve(make());
  const counts = [
    (await client.tools().all()).length,
    (await client.prompts().all()).length,
    (await client.resources().all()).length,
    (await client.resourceTemplates().all()).length,
  ];
  expect(counts).toEqual([5, 5, 5, 5]);
  for (const method of lists) expect(wire.sent('client', method), method).toHaveLength(3);
});

requirement(['2026-07-28/server/utilities/pagination/invalid-cursor-error'], {}, async ({ serve }) => {
  const { client, wire } = await serve(make());
  const pages = [client.tools(), client.prompts(), client.resources(), client.resourceTemplates()];
  for (const [at, list] of pages.entries()) {
    await expect(list.page('made up')).rejects.toMatchObject({ code: -32602 });
    expect(wire.answer(lists[at] ?? '').error?.code).toBe(-32602);
  }
  // A cursor of one list is invalid in another.
  const { nextCursor } = await client.tools().page();
  await expect(client.prompts().page(nextCursor)).rejects.toMatchObject({ code: -32602 });
});
