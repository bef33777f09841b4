import { revision20250618, revision20260728 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { FakeClock, settled } from '../../../testing/src/fake-clock.js';
import { linked } from '../../test/linked.js';
import { ScriptedServer } from '../../test/scripted-server.js';
import { serverScript } from '../../test/scripts.js';
import type { ClientOptions } from '../options.js';

const replies = { 'tools/call': () => ({ content: [] }), 'logging/setLevel': () => ({}) };
const key = 'io.modelcontextprotocol/logLevel';

it('sends the level once per session, and again to the next session', async () => {
  const clock = new FakeClock();
  const server = new ScriptedServer(serverScript(revision20250618, replies));
  const logs: unknown[] = [];
  const client = await linked(server, { clock, onLog: (message) => logs.push(message), logLevel: 'error' });
  await client.setLogLevel('debug');
  expect(server.peer.paramsOf('logging/setLevel')).toEqual([{ level: 'error' }, { level: 'debug' }]);
  server.peer.notify('notifications/message', { level: 'info', data: { a: 1 } });
  await settled();
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

/** Returns the log message that the application receives for `data`. */
async function heard(data: unknown, options: Partial<ClientOptions> = {}): Promise<unknown> {
  const server = new ScriptedServer(serverScript(revision20250618));
  const logs: unknown[] = [];
  await linked(server, { onLog: (message) => logs.push(message), ...options });
  server.peer.notify('notifications/message', { level: 'error', logger: 'db', data });
  await settled();
  return logs[0];
}

it('log messages are free of credentials, and of what a terminal obeys, when they are heard', async () => {
  const data = { url: 'postgres://app:pw@db', token: 'abc', text: '\u001b[31mred', rows: 3 };
  expect(await heard(data)).toEqual({
    level: 'error',
    logger: 'db',
    data: { url: 'postgres://[redacted]@db', token: '[redacted]', text: 'red', rows: 3 },
  });
});

it('a function takes out more', async () => {
  const redact = (data: unknown) => JSON.stringify(data).replace('Ada', '[name]');
  const message = await heard({ user: 'Ada', password: 'a' }, { redact });
  expect(message).toMatchObject({ data: '{"user":"[name]","password":"[redacted]"}' });
});

it('everything is heard where redaction is off', async () => {
  expect(await heard('password=a', { redact: false })).toMatchObject({ data: 'password=a' });
});

it('what is neither false nor a function is misuse', async () => {
  await expect(heard('', { redact: true as never })).rejects.toThrow(TypeError);
});
