import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connect } from '@tenon/mcp-client';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../dist/notes.js', import.meta.url));

let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'notes-program-test-'));
});
afterAll(() => rm(temporary, { recursive: true, force: true }));

interface Started {
  readonly child: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly addresses: { readonly url: string; readonly sse: string };
}

/** Starts the program over HTTP, with a channel to it as the demo has; its temporary files go where the test can look. */
async function start(): Promise<Started> {
  const env = { ...process.env, TMPDIR: temporary };
  const child = fork(program, ['--http', '0'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
    execArgv: [],
  });
  const exit = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { child, exit, addresses: JSON.parse(line) };
}

test('both addresses lead to the notes, and SIGTERM ends it without a trace', async () => {
  const { child, exit, addresses } = await start();
  for (const address of [addresses.url, addresses.sse]) {
    expect(new URL(address).hostname).toBe('127.0.0.1');
    const client = await connect(address, { info: { name: 'test', version: '1.0.0' } });
    expect(client.server?.name).toBe('notes');
    await client.close();
  }
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(await readdir(temporary)).toEqual([]);
});

test('it ends with the program that started it', async () => {
  const { child, exit } = await start();
  child.disconnect();
  expect(await exit).toEqual([0, null]);
  expect(await readdir(temporary)).toEqual([]);
});

test.each([['70000'], ['x'], ['']])('--http %j is refused with exit code 2', async (port) => {
  const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [program, '--http', port], (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode, stderr }),
    );
  });
  expect(code).toBe(2);
  expect(stderr).toBe(`notes: --http must be a port from 0 to 65535, not '${port}'. See --help.\n`);
});
