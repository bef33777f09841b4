import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect, textOf } from '@tenon/mcp-client';
import { afterEach, expect, test } from 'vitest';

const fixture = fileURLToPath(new URL('../fixtures/servers/http-signals.mjs', import.meta.url));
const children: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A server over HTTP with a call that waits for its stdin. */
async function holding() {
  const child = spawn(process.execPath, [fixture]);
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  const client = await connect(url, { info: { name: 'test', version: '1' }, reconnect: false });
  const call = client.callTool('hold').then(
    ({ content }) => textOf(content),
    (error: unknown) => error,
  );
  expect((await lines.next()).value).toBe('holding');
  return { child, call };
}

test.each(['SIGTERM', 'SIGINT'] as const)('a server ends at %s after its running call', async (signal) => {
  const { child, call } = await holding();
  const exited = once(child, 'exit');
  child.kill(signal);
  child.stdin.write('go\n');
  expect(await call).toBe('held');
  expect(await exited).toEqual([null, signal]);
});

test('a second signal ends a server at once', async () => {
  const { child, call } = await holding();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  child.kill('SIGINT');
  expect(await exited).toEqual([null, expect.stringMatching(/^SIG(?:INT|TERM)$/)]);
  expect(await call).toBeInstanceOf(Error);
});
