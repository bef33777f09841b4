import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { shows } from '../../suite/shows.js';

const fixture = fileURLToPath(new URL('../fixtures/servers/stubborn.mjs', import.meta.url));
const clientInfo = { name: 'test', version: '1.0.0' };
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server in a call that never ends. */
async function stuck(): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, [fixture]);
  children.push(child);
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  send({ id: 1, method: 'initialize', params });
  send({ id: 2, method: 'tools/call', params: { name: 'hold', _meta: { progressToken: 1 } } });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('notifications/progress')) break;
  }
  return child;
}

test('a server exits when its stdin ends, even if handlers run', async () => {
  shows('2026-07-28/basic/transports/stdio/server-exits');
  const child = await stuck();
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a server exits on a signal, even if handlers run', async () => {
  const child = await stuck();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});
