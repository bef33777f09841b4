import type { UnknownObject } from '@tenon/mcp-protocol';
import { revision20250326, revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ScriptedServer, WireRefusal } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const replies = {
  'tools/call': (params: UnknownObject) => ({ content: [{ type: 'text', text: String(params.name) }] }),
  'resources/read': () => new WireRefusal(-32002, 'Not found'),
};
const calls = [
  { method: 'tools/call', params: { name: 'a' } },
  { method: 'resources/read', params: { uri: 'file:///x' } },
  { method: 'tools/call', params: { name: 'b' } },
] as const;

it.each([
  [revision20250326, 1],
  [revision20250618, 0],
  [revision20260728, 0],
])('requests go together where there are batches, each with its own result', async (revision, batches) => {
  const server = new ScriptedServer(serverScript(revision, replies));
  const client = await linked(server);
  const [first, second, third] = client.batch(calls);
  await expect(second).rejects.toMatchObject({ code: -32002 });
  expect((await first).content).toEqual([{ type: 'text', text: 'a' }]);
  expect((await third).content).toEqual([{ type: 'text', text: 'b' }]);
  expect(server.peer.batches).toBe(batches);
});

it.each([revision20250326, revision20250618])(
  'causes no unhandled rejection when the connection is lost before all promises are awaited',
  async (revision) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    const server = new ScriptedServer(serverScript(revision, { 'tools/call': () => undefined }));
    const client = await linked(server, { reconnect: false });
    const [first, , third] = client.batch(calls);
    await client.close();
    await expect(first).rejects.toMatchObject({ reason: 'closed' });
    await new Promise(setImmediate);
    await expect(third).rejects.toMatchObject({ reason: 'closed' });
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  },
);

it('a request for what the server does not have leaves the others be', async () => {
  const server = new ScriptedServer(serverScript(revision20250326, replies, { tools: {} }));
  const client = await linked(server);
  const [first, second, third] = client.batch(calls);
  await expect(second).rejects.toMatchObject({ reason: 'capability-missing' });
  expect((await first).content).toEqual([{ type: 'text', text: 'a' }]);
  expect((await third).content).toEqual([{ type: 'text', text: 'b' }]);
});

it('icons that are unfit to be shown do not come with a batch either', async () => {
  const icons = [{ src: 'javascript:alert(1)' }];
  const tools = [{ name: 'a', inputSchema: { type: 'object' }, icons }];
  const script = serverScript(revision20250326, { 'tools/list': () => ({ tools }) }, { tools: {} });
  const client = await linked(new ScriptedServer(script));
  const [listed] = client.batch([{ method: 'tools/list', params: {} }]);
  expect((await listed).tools).toEqual([{ name: 'a', inputSchema: { type: 'object' } }]);
});
