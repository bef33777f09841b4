import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer, type Server } from '@tenon/mcp-server';
import { type HttpServing, serveHttp } from '@tenon/mcp-server/http';
import { tasks } from '@tenon/mcp-tasks/server';
import { afterEach, beforeEach, expect, it } from 'vitest';

const main = fileURLToPath(new URL('../../../../packages/cli/dist/main.js', import.meta.url));

let server: Server;
let serving: HttpServing;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-interrupts-'));
  const extended = createServer({ name: 'studio', version: '1.0.0' }, { extensions: [tasks()] }).tool(
    'render',
    { task: { support: 'always', pollInterval: 100 } },
    (_, ctx) =>
      new Promise<string>((_resolve, reject) => {
        ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
      }),
  );
  server = extended as unknown as Server;
  serving = await serveHttp(server);
});

afterEach(async () => {
  await serving.close();
  await server.close();
  await rm(folder, { recursive: true });
});

/** Runs the program in a process of its own, and interrupts it once it has printed a text. */
async function tenon(words: readonly string[], interruptAt?: string) {
  const env = { ...process.env, XDG_STATE_HOME: folder, HOME: folder, NO_COLOR: '1' };
  const child = spawn(process.execPath, [main, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  let isInterrupted = interruptAt === undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      printed[name] += chunk;
      if (isInterrupted || !printed[name].includes(interruptAt ?? '')) return;
      isInterrupted = true;
      child.kill('SIGINT');
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...printed };
}

it('ends tenon watch with 130 after Ctrl+C', async () => {
  const { code, stdout, stderr } = await tenon(['watch', serving.url], 'Watching');
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).not.toContain('error');
});

it('leaves a task running after Ctrl+C, and says how to go on', async () => {
  const started = await tenon(['call', serving.url, 'render', '--task', '--json']);
  const reference = started.stdout.trim();
  const { code, stderr } = await tenon(['tasks', 'watch', reference], 'working');
  expect(code).toBe(130);
  expect(stderr).toContain('tenon tasks resume');
  const { stdout } = await tenon(['tasks', 'get', reference, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'working' });
});
