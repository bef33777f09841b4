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

/** Starts the program over HTTP as a child process with IPC, like the demo does. Its temporary files go to a folder of the test. */
async function start(...more: readonly string[]): Promise<Started> {
  const env = { ...process.env, TMPDIR: temporary };
  const child = fork(program, ['--http', '0', ...more], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env,
    execArgv: [],
  });
  const exit = once(child, 'exit');
  const [line] = await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line');
  return { child, exit, addresses: JSON.parse(line) };
}

test('serves the notes at both addresses, and removes its files at SIGTERM', async () => {
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

test('ends with the program that started it', async () => {
  const { child, exit } = await start();
  child.disconnect();
  expect(await exit).toEqual([0, null]);
  expect(await readdir(temporary)).toEqual([]);
});

test('rejects requests without a token when --issuer is set, and names the authorization server', async () => {
  const { child, exit, addresses } = await start('--issuer', 'https://login.example.com');
  for (const address of [addresses.url, addresses.sse]) {
    const { status, headers } = await fetch(address, { headers: { accept: 'text/event-stream' } });
    expect(status).toBe(401);
    const metadata = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '')?.[1] ?? '';
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: addresses.url,
      authorization_servers: ['https://login.example.com'],
      scopes_supported: ['notes:read'],
    });
  }
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
});

test.each([
  [['--http', '70000'], "--http must be a port from 0 to 65535, not '70000'"],
  [['--http', 'x'], "--http must be a port from 0 to 65535, not 'x'"],
  [['--http', ''], "--http must be a port from 0 to 65535, not ''"],
  [['--issuer', 'https://login.example.com'], '--issuer needs --http'],
  [['--http', '0', '--issuer', 'http://login.example.com'], '"http://login.example.com" must be a URL'],
])('exits with 2 for %j', async (args, message) => {
  const { code, stdout, stderr } = await new Promise<Record<string, unknown>>((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^notes: .*\. See --help\.\n$/);
  expect(stderr).toContain(message);
});
