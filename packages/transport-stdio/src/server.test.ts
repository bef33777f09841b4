import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';

// Processes are slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const source = (entry: string) => fileURLToPath(new URL(`./${entry}.ts`, import.meta.url));
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));

let folder: string;
const children: ChildProcessWithoutNullStreams[] = [];

// A real process needs JavaScript: the current sources, compiled to a folder where the fixtures find them by name.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-stdio-'));
  const outDir = join(folder, 'node_modules/@tenon/mcp-transport-stdio');
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['tenon-source'] },
    ssr: { noExternal: true, resolve: { conditions: ['tenon-source'] } },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: { input: { server: source('server'), client: source('client') } },
    },
  });
  await writeFile(join(outDir, 'package.json'), '{ "type": "module", "exports": { "./*": "./*.js" } }');
  for (const name of ['served', 'leaver']) await copyFile(fixture(name), join(folder, `${name}.mjs`));
}, 60_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the serving fixture, and collects its output. */
function serve(mode = '') {
  const child = spawn(process.execPath, [join(folder, 'served.mjs'), mode], { stdio: 'pipe' });
  children.push(child);
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  child.stderr.on('data', (chunk) => err.push(String(chunk)));
  const gone = once(child, 'close');
  return {
    child,
    gone,
    lines: () => out.join('').split('\n').slice(0, -1),
    stderr: () => err.join(''),
    async serving() {
      while (!out.join('').startsWith('"serving"\n')) await once(child.stdout, 'data');
    },
  };
}

describe('a process that serves over stdin and stdout', () => {
  it('redirects text that other code prints, and exits when stdin ends', async () => {
    shows(
      '2024-11-05/basic/transports/stderr',
      '2024-11-05/basic/transports/stdout-messages-only',
      '2025-03-26/stdio/stdin-stdout',
      '2026-07-28/basic/transports/stdio/server-stderr',
      '2026-07-28/basic/transports/stdio/server-stdout-clean',
      '2026-07-28/basic/transports/stdio/server-exits',
    );
    const { child, gone, lines, stderr } = serve();
    child.stdin.end('1\n"é"\n');
    expect(await gone).toEqual([0, null]);
    expect(lines()).toEqual(['"serving"', '{"echo":1}', '{"echo":"é"}']);
    expect(stderr()).toBe(
      `${['1', 'é'].map((value) => `stray log ${value}\nstray write\nstray end\n`).join('')}${'stray callback\n'.repeat(2)}closed undefined true\n`,
    );
  });

  it('does not redirect printed text when protectStdout is false', async () => {
    const { child, gone, lines } = serve('unprotected');
    child.stdin.write('1\n');
    await gone.catch(() => {});
    expect(lines()).toContain('stray log 1');
  });

  it('restores stdout on close', async () => {
    const { child, gone, lines } = serve('afterwards');
    child.stdin.end();
    await gone;
    expect(lines()).toEqual(['"serving"', 'afterwards']);
  });

  it('finishes pending answers when stdin ends, and flushes them before it exits', async () => {
    const { child, gone, lines } = serve();
    child.stdin.end('"slow"\n"big"\n');
    expect(await gone).toEqual([0, null]);
    const [, ...answers] = lines();
    expect(answers.map((line) => line.length).sort((a, b) => a - b)).toEqual([13, (4 << 20) + 2]);
  });

  it('exits when it closes the connection, although stdin stays open', async () => {
    shows('2024-11-05/basic/lifecycle/server-ends', '2026-07-28/basic/transports/stdio/server-initiates');
    const { child, gone, lines, stderr } = serve();
    child.stdin.write('"close"\n');
    expect(await gone).toEqual([0, null]);
    expect(lines()).toEqual(['"serving"']);
    expect(stderr()).toContain('closed undefined true');
  });

  it('exits without an error when its output is closed', async () => {
    const { child, gone, serving, stderr } = serve();
    await serving();
    child.stdout.destroy();
    child.stdin.write('1\n');
    await once(child.stderr, 'data');
    child.stdin.write('2\n');
    expect(await gone).toEqual([0, null]);
    expect(stderr()).toMatch(/closed TransportError: The connection broke: write EPIPE\. true\n$/);
  });

  it('stops reading while its output is not read', async () => {
    const { child, serving, gone, lines } = serve();
    await serving();
    child.stdout.pause();
    let pushed = 0;
    while (child.stdin.write('"big"\n') && pushed < 1_000_000) pushed++;
    const full = await Promise.race([
      once(child.stdin, 'drain').then(() => 'drained'),
      once(child.stderr, 'data').then(() => 'busy'),
    ]);
    expect(['drained', 'busy']).toContain(full);
    const rss = async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    };
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    // Thousands of answers of 4 MiB are requested; few are made.
    expect(pushed).toBeGreaterThan(1000);
    expect(await rss()).toBeLessThan(400 << 10);
    child.kill('SIGKILL');
    child.stdout.resume();
    await gone;
    expect(lines().length).toBeLessThan(20);
  });

  it('rejects a second connection while the first is open', async () => {
    const { child, gone, lines } = serve();
    child.stdin.end('"again"\n');
    await gone;
    expect(lines()).toEqual(['"serving"', '"TypeError"']);
  });

  it('serves from a file', async () => {
    const { child, gone, lines } = serve();
    child.stdin.end(await readFile(fixture('environment')));
    await gone;
    expect(
      lines()
        .slice(1)
        .every((line) => line.includes('not JSON')),
    ).toBe(true);
  });

  it('closes at a signal, then ends with it', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { child, gone, serving, stderr } = serve('termination');
      await serving();
      child.kill(signal);
      expect(await gone).toEqual([null, signal]);
      expect(stderr()).toBe(`asked by ${signal}\nclosed undefined true\n`);
    }
  });

  it('ends at a second signal when it does not close', async () => {
    const { child, gone, serving, stderr } = serve('hanging');
    await serving();
    child.kill('SIGTERM');
    while (!stderr().includes('asked')) await once(child.stderr, 'data');
    child.kill('SIGTERM');
    expect(await gone).toEqual([null, 'SIGTERM']);
    expect(stderr()).toBe('asked by SIGTERM\n');
  });
});

describe('a process that has started a child', () => {
  /** Runs the leaving fixture to its end; returns its output. */
  async function leave(how: 'close' | 'exit', name: string, ...args: string[]) {
    const child = spawn(process.execPath, [join(folder, 'leaver.mjs'), how, fixture(name), ...args], {
      stdio: 'pipe',
    });
    children.push(child);
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    return JSON.parse(text) as { pid: number; said: { grandchild: number } };
  }

  async function state(pid: number) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') gone');
    return stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '';
  }

  it('ends it when it exits without closing it, even if the child ignores SIGTERM', async () => {
    const { pid } = await leave('exit', 'stubborn');
    // A killed process disappears a moment later.
    while (!['g', 'Z', 'X'].includes(await state(pid))) await new Promise((resolve) => setImmediate(resolve));
  });

  it('exits although a grandchild outside the group keeps the output of the child open', async () => {
    const { said, pid } = await leave('close', 'parent', 'escaped');
    expect(['g', 'Z', 'X']).toContain(await state(pid));
    expect(['R', 'S', 'D']).toContain(await state(said.grandchild));
    process.kill(said.grandchild, 'SIGKILL');
  });
});
