import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createServer } from '@tenon/mcp-server';
import { serveHttp } from '@tenon/mcp-server/http';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const tenon = fileURLToPath(new URL('packages/cli/dist/main.js', root));
const everything = fileURLToPath(new URL('apps/everything-server/dist/main.js', root));

interface Ran {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts the built program. */
function start(...words: readonly string[]): Ran {
  const child = spawn(process.execPath, [tenon, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { child, stdout: () => output, ended };
}

describe('tenon doctor', () => {
  test('passes each step of the everything-server over stdio', async () => {
    const { stdout, ended } = start('doctor', '--json', '--', process.execPath, everything, '--stdio');
    expect(await ended).toBe(0);
    const { ok, steps } = JSON.parse(stdout());
    expect(ok).toBe(true);
    expect(steps.filter(({ status }: { status: string }) => status !== 'passed')).toEqual([]);
  });
});

describe('tenon bench', () => {
  const command = ['--', process.execPath, everything, '--stdio'];

  test('counts the calls of a command exactly', async () => {
    const { stdout, ended } = start('bench', '--requests', '50', '--warmup', '0', '--json', ...command);
    expect(await ended).toBe(0);
    expect(JSON.parse(stdout())).toMatchObject({ total: { calls: 50, errors: 0 } });
  });

  test('prints what was measured, and exits with 130 after SIGINT', async () => {
    let running: Ran | undefined;
    let calls = 0;
    const server = createServer({ name: 'notes', version: '1.0.0' }, { rates: false }).tool('add', {}, () => {
      if (++calls === 100) running?.child.kill('SIGINT');
      return 'added';
    });
    const serving = await serveHttp(server);
    running = start('bench', serving.url, 'add', '--json', '--duration', '600');
    expect(await running.ended).toBe(130);
    const report = JSON.parse(running.stdout());
    expect(report).toMatchObject({ isInterrupted: true, total: { errors: 0 } });
    expect(report.total.calls).toBeGreaterThanOrEqual(79);
    await serving.close();
  });
});
