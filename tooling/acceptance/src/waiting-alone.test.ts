import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../fixtures/servers/waiting.mjs', import.meta.url));
const run = promisify(execFile);

// Rejects unless the process exits by itself, with code 0.
async function printed(name: string): Promise<string> {
  return (await run(process.execPath, [program, name], { timeout: 20_000 })).stdout.trim();
}

test.each([
  ['delay', 'a message that is late', 'done'],
  ['drop', 'a message that is lost', 'timeout'],
  ['timeout', 'a tool that takes too long', 'true'],
  ['endless', 'a call that may take for ever', 'true'],
])(
  'with client and server in one process, its end is not before that of a wait: %s, %s',
  async (name, _, output) => {
    expect(await printed(name)).toBe(output);
  },
);

test.each([
  ['answered', 'a client that has its answer', 'done'],
  ['watched', 'a client that only listens', 'tools'],
  ['probed', 'a probe that was never answered', '2025-11-25'],
])('a process exits if its promise is not awaited: %s, %s', async (name, _, output) => {
  expect(await printed(name)).toBe(output);
});

test('a process stays alive for an unobserved call until its timeout', async () => {
  expect(await printed('abandoned')).toBe('left\ntimeout');
});
