import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { otherBounds } from '@tenon/foundation';
import { type Receiver, TransportError } from '@tenon/mcp-protocol';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { type SpawnOptions, spawnConnection } from './client.js';

// Processes are slow on a busy machine.
vi.setConfig({ testTimeout: 20_000 });
afterEach(() => vi.restoreAllMocks());

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));

/** Starts a fixture and records its messages. */
function start(name: string, options: Partial<SpawnOptions> = {}) {
  const args = [fixture(name), ...(options.args ?? [])];
  const connection = spawnConnection({ command: process.execPath, ...options, args });
  const seen: unknown[] = [];
  const problems: string[] = [];
  const closed: (Error | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const notify = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const receiver: Receiver = {
    receive(value) {
      seen.push(value);
      notify();
      return undefined;
    },
    malformed(reason) {
      problems.push(reason);
      notify();
      return undefined;
    },
    closed(reason) {
      closed.push(reason);
      notify();
    },
  };
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  connection.start(receiver);
  return { connection, seen, problems, closed, until, end: () => until(() => closed.length > 0) };
}

/** False for processes that have ended, zombies included. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** A clock that fires in the next turn of the event loop, and records the requested waits. */
function hastyClock() {
  const waits: number[] = [];
  const delay = (ms: number, run: () => void) => {
    waits.push(ms);
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  };
  return { waits, delay };
}

describe('a child', () => {
  it('answers messages and ends when its stdin is closed', async () => {
    shows(
      '2024-11-05/basic/lifecycle/close-input',
      '2024-11-05/basic/transports/stdio-supported',
      '2025-03-26/stdio/subprocess',
      '2026-07-28/basic/transports/stdio/client-stdin-clean',
      '2026-07-28/basic/transports/stdio/client-shutdown',
    );
    const { connection, seen, closed, until } = start('echo');
    void connection.send('{"n":1}');
    void connection.send('"é"');
    await until(() => seen.length === 2);
    expect(seen).toEqual([{ n: 1 }, 'é']);
    const pid = connection.pid as number;
    expect(runs(pid)).toBe(true);
    await connection.close();
    await connection.close();
    expect(runs(pid)).toBe(false);
    expect(closed).toEqual([undefined]);
  });

  it('leads a process group of its own', async () => {
    const { connection, seen, until } = start('echo');
    void connection.send('1');
    await until(() => seen.length === 1);
    const fields = readFileSync(`/proc/${connection.pid}/stat`, 'utf8').split(') ')[1]?.split(' ');
    expect(Number(fields?.[2])).toBe(connection.pid);
    await connection.close();
  });

  it('inherits the listed variables, and gets its own, its arguments and its folder', async () => {
    shows('2026-07-28/basic/index/auth-stdio', '2026-07-28/index/best-practices');
    vi.stubEnv('TENON_TEST_SECRET', 'secret');
    const { connection, seen, until } = start('environment', {
      args: ['two words', '*', '$HOME'],
      env: { OWN: 'yes', TERM: 'mine' },
      cwd: '/',
    });
    vi.unstubAllEnvs();
    await until(() => seen.length === 1);
    const { env, args, cwd } = seen[0] as { env: Record<string, string>; args: string[]; cwd: string };
    expect(args).toEqual(['two words', '*', '$HOME']);
    expect(cwd).toBe('/');
    expect(env).toMatchObject({ OWN: 'yes', TERM: 'mine', PATH: process.env.PATH });
    const allowed = ['HOME', 'LOGNAME', 'OWN', 'PATH', 'SHELL', 'TERM', 'USER'];
    expect(Object.keys(env).filter((name) => !allowed.includes(name))).toEqual([]);
    await connection.close();
  });

  it('may print a banner', async () => {
    shows('2026-07-28/basic/transports/stdio/stderr-no-error');
    const { connection, seen, problems, until } = start('chatty');
    void connection.send('1');
    await until(() => seen.length === 1);
    expect(problems).toEqual([expect.stringContaining('not JSON')]);
    await connection.close();
  });

  it('may print a banner that onStrayLine receives', async () => {
    const stray: string[] = [];
    const { connection, seen, problems, until } = start('chatty', {
      onStrayLine: (line) => void stray.push(line),
    });
    void connection.send('1');
    await until(() => seen.length === 1);
    expect(stray).toEqual(['Chatty server 1.0, listening on stdio']);
    expect(problems).toEqual([]);
    await connection.close();
  });

  it('has its stderr kept and passed to a function', async () => {
    shows(
      '2024-11-05/basic/transports/stderr',
      '2024-11-05/basic/transports/client-stderr',
      '2026-07-28/basic/transports/stdio/server-stderr',
      '2026-07-28/basic/transports/stdio/client-stderr',
      '2026-07-28/basic/transports/stdio/stderr-no-error',
    );
    const lines: string[] = [];
    const { connection, seen, until } = start('chatty', { stderr: (line) => void lines.push(line) });
    void connection.send('1');
    await until(() => seen.length === 1);
    while (lines.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual(['ready', 'warning: é in two pieces']);
    expect(connection.stderr).toEqual(lines);
    await connection.close();
  });

  it('shows its stderr on the stderr of this process by default, and keeps the last lines', async () => {
    const shown: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((text: string) => void shown.push(text));
    const { connection } = start('chatty');
    while (!shown.join('\n').includes('pieces')) await new Promise((resolve) => setImmediate(resolve));
    expect(shown.join('\n')).toBe('ready\nwarning: é in two pieces');
    expect(connection.stderr).toEqual(['ready', 'warning: é in two pieces']);
    await connection.close();
  });

  it('does not show its stderr with "pipe"', async () => {
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { connection, seen, until } = start('chatty', { stderr: 'pipe' });
    void connection.send('1');
    await until(() => seen.length === 1);
    while (connection.stderr.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await connection.close();
    expect(shown).not.toHaveBeenCalled();
  });

  it('is not started with an unknown value of the option stderr', () => {
    expect(() => start('echo', { stderr: 'quiet' as never })).toThrow(
      'stderr must be "show", "pipe", "inherit", "ignore" or a function, not "quiet".',
    );
  });

  it('delivers messages while it does not read', async () => {
    const { connection, seen, until } = start('deaf', { delay: hastyClock().delay });
    let space: Promise<void> | undefined;
    while (space === undefined) {
      space = connection.send(`"${'x'.repeat(1 << 16)}"`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = seen.length;
    await until(() => seen.length > before + 20);
    await connection.close();
  });

  it('adds no listener to this process for each child', async () => {
    const count = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const before = count();
    const children = Array.from({ length: 12 }, () => start('echo'));
    expect(count()).toBe(before + 1);
    await Promise.all(children.map(({ connection }) => connection.close()));
    expect(count()).toBe(before);
  });
});

describe('a child that fails', () => {
  it('is named when its command is missing', async () => {
    const { closed, connection, end } = start('echo', { command: 'no-such-command' });
    await end();
    expect(closed).toEqual([expect.any(TransportError)]);
    expect(closed[0]?.message).toMatch(
      /^Could not start "no-such-command .*echo.mjs": it was not found \(ENOENT\)\. Is it installed and on PATH\?$/,
    );
    expect(closed[0]?.cause).toMatchObject({ code: 'ENOENT' });
    expect(connection.pid).toBeUndefined();
    await connection.close();
    expect(closed).toHaveLength(1);
  });

  it('is distinguished from a missing folder', async () => {
    const { closed, end } = start('echo', { cwd: '/no/such/folder' });
    await end();
    expect(closed[0]?.message).toContain('it should run in /no/such/folder, which does not exist.');
  });

  it('is named with its exit code and last stderr lines when it dies at start', async () => {
    const { closed, end } = start('dies');
    await end();
    const error = closed[0] as TransportError;
    expect(error.status).toBe(3);
    expect(error.message).toMatch(
      /^Could not start ".*dies.mjs": it exited with code 3 before it sent a message\.\n/,
    );
    const lines = error.message.split('\n').slice(2);
    expect(lines).toEqual(Array.from({ length: 20 }, (_, n) => `  complaint ${n + 11}`));
  });

  it('has its last messages delivered', async () => {
    shows('2026-07-28/basic/transports/stdio/server-initiates');
    const { closed, seen, end } = start('dies', { args: ['1\n{"jsonrpc":"2.0"}\n'] });
    await end();
    expect(seen).toEqual([1, { jsonrpc: '2.0' }]);
    expect(closed[0]?.message).toMatch(/^".*dies.mjs .*" exited with code 3\.\n/);
  });

  it('has messages delivered that arrived before start, then its end', async () => {
    const connection = spawnConnection({ command: process.execPath, args: [fixture('dies'), '1\n2\n'] });
    while (runs(connection.pid as number)) await new Promise((resolve) => setImmediate(resolve));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    const order: unknown[] = [];
    await new Promise<void>((resolve) => {
      connection.start({
        receive: (value) => void order.push(value),
        malformed: () => undefined,
        closed(reason) {
          order.push(reason?.message.split('\n')[0]);
          resolve();
        },
      });
    });
    expect(order).toEqual([1, 2, expect.stringContaining('exited with code 3')]);
  });

  it('has time for its last line on stderr', async () => {
    const script = '(exec >&-; sleep 0.1; echo late >&2) & exit 3';
    const connection = spawnConnection({
      command: 'sh',
      args: ['-c', script],
      ...otherBounds({ exitGraceMs: 10_000 }),
    });
    const reason = await new Promise<Error | undefined>((resolve) => {
      connection.start({ receive: () => undefined, malformed: () => undefined, closed: resolve });
    });
    expect(reason?.message).toMatch(/exited with code 3 .*\nIts last lines on stderr:\n {2}late$/s);
  });

  it('is named with its signal', async () => {
    const { connection, closed, seen, until, end } = start('echo');
    void connection.send('{"jsonrpc":"2.0"}');
    await until(() => seen.length === 1);
    process.kill(connection.pid as number, 'SIGKILL');
    await end();
    expect(closed[0]?.message).toMatch(/was ended by SIGKILL\.$/);
    expect(closed[0]).toMatchObject({ status: undefined });
  });

  it('is reported although a grandchild keeps its output open', async () => {
    const { closed, seen, connection, end } = start('parent', { args: ['meek', 'at-once'] });
    await end();
    expect(closed[0]?.message).toMatch(/exited with code 0\.$/);
    await connection.close();
    expect(runs((seen[0] as { grandchild: number }).grandchild)).toBe(false);
  });
});

describe('close', () => {
  it('ends a child that ignores the end of stdin and SIGTERM', async () => {
    shows('2024-11-05/basic/lifecycle/kill', '2026-07-28/basic/transports/stdio/client-shutdown');
    const clock = hastyClock();
    const { connection, seen, closed, until } = start('stubborn', {
      delay: clock.delay,
      ...otherBounds({ closeWaitMs: 11, terminateWaitMs: 22, killWaitMs: 3_000 }),
    });
    await until(() => seen.length === 1);
    clock.waits.length = 0;
    await connection.close();
    // The flush needed no wait; then each wait was used.
    expect(clock.waits.filter((ms) => ms !== 2000).slice(0, 3)).toEqual([11, 22, 3_000]);
    expect(closed).toEqual([undefined]);
  });

  it('lets a child write its last output', async () => {
    const signals: unknown[] = [];
    const { connection, seen, closed, until } = start('long-output', {
      ...otherBounds({ closeWaitMs: 15_000 }),
      kill: (_pid, signal) => void signals.push(signal),
    });
    await until(() => seen.length === 1);
    await connection.close();
    expect(closed).toEqual([undefined]);
    expect(signals.filter((signal) => signal !== 0)).toEqual([]);
  });

  it('signals the group, first with SIGTERM', async () => {
    const signals: [number, unknown][] = [];
    const { connection, seen, until } = start('stubborn', {
      ...otherBounds({ closeWaitMs: 1, terminateWaitMs: 1 }),
      kill(pid, signal) {
        signals.push([pid, signal]);
        process.kill(pid, signal);
      },
    });
    await until(() => seen.length === 1);
    const pid = connection.pid as number;
    await connection.close();
    expect(signals.filter(([, signal]) => signal !== 0)).toEqual([
      [-pid, 'SIGTERM'],
      [-pid, 'SIGKILL'],
    ]);
    expect(runs(pid)).toBe(false);
  });

  it('ends a grandchild that holds stdout open and ignores SIGTERM', async () => {
    const { connection, seen, closed, until } = start('parent', {
      args: ['stubborn'],
      ...otherBounds({ terminateWaitMs: 40 }),
    });
    await until(() => seen.length === 1);
    const { grandchild } = seen[0] as { grandchild: number };
    expect(runs(grandchild)).toBe(true);
    await connection.close();
    expect(runs(grandchild)).toBe(false);
    expect(closed).toEqual([undefined]);
  });

  it('throws for an invalid limit or command', () => {
    expect(() => spawnConnection({ command: process.execPath, maxLineBytes: 0 })).toThrow(RangeError);
    expect(() => spawnConnection({ command: 'a\0b' })).toThrow(TypeError);
  });
});
