import { revision20250618 } from '@tenon/mcp-protocol/internal';
import { expect, it } from 'vitest';
import { linked } from '../test/linked.js';
import { settle } from '../test/manual-clock.js';
import { ScriptedServer } from '../test/scripted-server.js';
import { serverScript } from '../test/scripts.js';
import type { ClientOptions } from './options.js';

/** What an application hears of a log message. */
async function heard(data: unknown, options: Partial<ClientOptions> = {}): Promise<unknown> {
  const server = new ScriptedServer(serverScript(revision20250618));
  const logs: unknown[] = [];
  await linked(server, { onLog: (message) => logs.push(message), ...options });
  server.peer.notify('notifications/message', { level: 'error', logger: 'db', data });
  await settle();
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
