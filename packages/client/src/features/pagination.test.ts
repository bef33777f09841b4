import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

function paged(pages: Readonly<Record<string, object>>): ScriptedServer {
  const page = (params: { cursor?: string }) => pages[params.cursor ?? 'first'] as Record<string, unknown>;
  return new ScriptedServer(serverScript(revision20251125, { 'tools/list': page, 'prompts/list': page }));
}

it('reads page after page', async () => {
  shows(
    '2024-11-05/server/prompts/pagination-handled',
    '2024-11-05/server/utilities/pagination/opaque-format',
    '2026-07-28/server/prompts/client-pagination',
    '2026-07-28/server/utilities/pagination/missing-next',
    '2026-07-28/server/utilities/pagination/no-format',
  );
  const server = paged({
    first: { tools: [tool('a')], nextCursor: 'next' },
    next: { tools: [tool('b')], nextCursor: 'last' },
    last: { tools: [tool('c')] },
  });
  const client = await linked(server);
  expect((await client.tools().all()).map((one) => one.name)).toEqual(['a', 'b', 'c']);
  expect(server.peer.paramsOf('tools/list')).toEqual([{}, { cursor: 'next' }, { cursor: 'last' }]);
});

it('reads no further than it is iterated', async () => {
  const server = paged({ first: { tools: [tool('a'), tool('b')], nextCursor: 'x' } });
  const client = await linked(server);
  for await (const { name } of client.tools()) if (name === 'b') break;
  expect(server.peer.paramsOf('tools/list')).toHaveLength(1);
});

it('gives single pages', async () => {
  shows(
    '2026-07-28/server/utilities/pagination/no-page-size',
    '2026-07-28/server/utilities/pagination/both-flows',
  );
  const server = paged({ first: { tools: [], nextCursor: 'x' }, x: { tools: [tool('a')] } });
  const client = await linked(server);
  expect(await client.tools().page()).toEqual({ items: [], nextCursor: 'x' });
  expect(await client.tools().page('x')).toEqual({ items: [tool('a')] });
});

it('makes nothing of a cursor that comes back: only the server knows what it means', async () => {
  shows(
    '2024-11-05/server/utilities/pagination/opaque-format',
    '2024-11-05/server/utilities/pagination/opaque-content',
    '2026-07-28/server/utilities/pagination/opaque',
    '2026-07-28/server/utilities/pagination/no-format',
  );
  const lists = ['a', 'b', 'c'];
  const next = () => ({
    tools: [tool(lists.shift() ?? '')],
    ...(lists.length > 0 && { nextCursor: 'more' }),
  });
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/list': next }));
  const client = await linked(server);
  expect((await client.tools().all()).map((one) => one.name)).toEqual(['a', 'b', 'c']);
});

it('stops when there are too many pages', async () => {
  let count = 0;
  const endless = () => ({ tools: [], nextCursor: String(count++) });
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/list': endless }));
  const client = await linked(server, { limits: { pages: 7 } });
  await expect(client.tools().all()).rejects.toMatchObject({ reason: 'limit' });
  expect(count).toBe(7);
});
