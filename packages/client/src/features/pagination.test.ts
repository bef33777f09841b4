import { otherBounds } from '@tenon/foundation';
import { revision20251125 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { Client } from '../client.js';

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

/** A server with lists that never end; counts the pages that are read of each. */
function endless(page: (count: number) => object): { server: ScriptedServer; read: Record<string, number> } {
  const read: Record<string, number> = {};
  const lists = {
    'tools/list': 'tools',
    'prompts/list': 'prompts',
    'resources/list': 'resources',
    'resources/templates/list': 'resourceTemplates',
  };
  const script = Object.entries(lists).map(([method, member]) => [
    method,
    () => {
      const count = (read[method] ?? 0) + 1;
      read[method] = count;
      return { [member]: [], ...page(count), nextCursor: String(count) };
    },
  ]);
  return {
    server: new ScriptedServer(serverScript(revision20251125, Object.fromEntries(script))),
    read,
  };
}

const listsOf = (client: Client) => [
  ['tools/list', client.tools()] as const,
  ['prompts/list', client.prompts()] as const,
  ['resources/list', client.resources()] as const,
  ['resources/templates/list', client.resourceTemplates()] as const,
];

it('stops when a list has too many pages', async () => {
  const { server, read } = endless(() => ({}));
  const client = await linked(server, { limits: otherBounds({ pages: 7 }) });
  for (const [method, list] of listsOf(client)) {
    await expect(list.all()).rejects.toMatchObject({
      reason: 'limit',
      message: `The list of ${method} has more than 7 pages.`,
    });
    expect(read[method]).toBe(7);
  }
});

it('stops when a list takes too many bytes', async () => {
  const { server, read } = endless(() => ({ _meta: { 'example.com/filler': 'x'.repeat(1_000) } }));
  const client = await linked(server, { limits: { listBytes: 4_000 } });
  for (const [method, list] of listsOf(client)) {
    await expect(list.all()).rejects.toMatchObject({
      reason: 'limit',
      message: `The list of ${method} has more than 4000 bytes: allow more with the option "limits.listBytes" of connect().`,
    });
    expect(read[method]).toBe(4);
  }
});

it('counts many small values of a list, and the pages that were iterated already', async () => {
  const { server, read } = endless(() => ({
    tools: Array.from({ length: 10 }, (_, index) => tool(`${index}`)),
  }));
  const client = await linked(server, { limits: { listBytes: 5_000 } });
  const seen: string[] = [];
  const iterated = async () => {
    for await (const { name } of client.tools()) seen.push(name);
  };
  await expect(iterated()).rejects.toMatchObject({ reason: 'limit' });
  expect([seen.length, read['tools/list']]).toEqual([30, 4]);
});

it('stops at 100 pages, or 64 MiB, by default', async () => {
  const { server, read } = endless(() => ({}));
  const client = await linked(server);
  await expect(client.tools().all()).rejects.toThrow('more than 100 pages');
  expect(read['tools/list']).toBe(100);
  const large = tool('x'.repeat(8_388_608));
  const huge = new ScriptedServer(
    serverScript(revision20251125, { 'tools/list': () => ({ tools: [large], nextCursor: 'on' }) }),
  );
  await expect((await linked(huge)).tools().all()).rejects.toThrow('more than 67108864 bytes');
  expect(huge.peer.paramsOf('tools/list')).toHaveLength(8);
});

it('requests the first page once when the server refuses it', async () => {
  let count = 0;
  const refusing = () => {
    count++;
    return new WireRefusal(-32602, 'No');
  };
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/list': refusing }));
  const client = await linked(server);
  await expect(client.tools().all()).rejects.toMatchObject({ code: -32602 });
  expect(count).toBe(1);
});

it('reads a list again after it was too long, once it is shorter', async () => {
  let last = 9;
  const page = ({ cursor = '0' }: { cursor?: string }) =>
    ({
      tools: [tool(cursor)],
      ...(Number(cursor) < last && { nextCursor: String(Number(cursor) + 1) }),
    }) as object;
  const server = new ScriptedServer(serverScript(revision20251125, { 'tools/list': page as never }));
  const client = await linked(server, { limits: otherBounds({ pages: 3 }) });
  await expect(client.tools().all()).rejects.toMatchObject({ reason: 'limit' });
  last = 2;
  expect((await client.tools().all()).map(({ name }) => name)).toEqual(['0', '1', '2']);
});
