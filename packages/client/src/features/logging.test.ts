import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../../test/linked.js';
import { ManualClock, settle } from '../../test/manual-clock.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';

const replies = { 'tools/call': () => ({ content: [] }), 'logging/setLevel': () => ({}) };
const key = 'io.modelcontextprotocol/logLevel';

it('the level is told once a session, and again to the next', async () => {
  const clock = new ManualClock();
  const server = new ScriptedServer(serverScript(revision20250618, replies));
  const logs: unknown[] = [];
  const client = await linked(server, { clock, onLog: (message) => logs.push(message), logLevel: 'error' });
  await client.setLogLevel('debug');
  expect(server.peer.paramsOf('logging/setLevel')).toEqual([{ level: 'error' }, { level: 'debug' }]);
  server.peer.notify('notifications/message', { level: 'info', data: { a: 1 } });
  await settle();
  expect(logs).toEqual([{ level: 'info', data: { a: 1 } }]);
  await server.peer.die();
  await clock.advance(0);
  expect(server.peer.paramsOf('logging/setLevel')).toEqual([{ level: 'debug' }]);
});

it('the level goes with each request where there are no sessions', async () => {
  const server = new ScriptedServer(serverScript(revision20260728, replies));
  const client = await linked(server);
  await client.callTool('x');
  await client.setLogLevel('debug');
  await client.callTool('x');
  await client.callTool('x', {}, { logLevel: 'error' });
  const levels = server.peer
    .paramsOf('tools/call')
    .map(({ _meta }) => (_meta as Record<string, unknown>)[key]);
  expect(levels).toEqual([undefined, 'debug', 'error']);
  expect(server.peer.methods).not.toContain('logging/setLevel');
});

it.each([revision20250618, revision20260728])(
  'a level that does not exist is refused where it is given: $id',
  async (revision) => {
    const server = new ScriptedServer(serverScript(revision, replies));
    const client = await linked(server);
    const sentence = 'There is no log level "warn": there are debug, info, notice, warning, error,';
    const setting = client.setLogLevel('warn' as never);
    await expect(setting).rejects.toThrow(TypeError);
    await expect(setting).rejects.toThrow(sentence);
    await expect(client.callTool('x', {}, { logLevel: 'warn' as never })).rejects.toThrow(sentence);
    await expect(client.callTool('x')).resolves.toMatchObject({ isError: false });
  },
);
