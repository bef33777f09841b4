import { readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Receiver, TransportError } from '@tenon/mcp-protocol';
import { describe, expect, it, vi } from 'vitest';
import { type SpawnOptions, spawnConnection } from './spawn-connection.js';

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 20_000 });

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}.mjs`, import.meta.url));

/** Starts a fixture and records what it does. */
function start(name: string, options: Partial<SpawnOptions> = {}) {
  const args = [fixture(name), ...(options.args ?? [])];
  const connection = spawnConnection({ command: process.execPath, ...options, args });
  const seen: unknown[] = [];
  const flaws: string[] = [];
  const closed: (Error | undefined)[] = [];
  const hearing: (() => void)[] = [];
  const hear = () => {
    for (const resolve of hearing.splice(0)) resolve();
  };
  const receiver: Receiver = {
    receive(value) {
      seen.push(value);
      hear();
      return undefined;
    },
    malformed(reason) {
      flaws.push(reason);
      hear();
      return undefined;
    },
    closed(reason) {
      closed.push(reason);
      hear();
    },
  };
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise<void>((resolve) => hearing.push(resolve));
  };
  connection.start(receiver);
  return { connection, seen, flaws, closed, until, end: () => until(() => closed.length > 0) };
}

/** False for processes that are gone and for those that only wait to be counted. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}

/** A clock that strikes as soon as the loop turns, and remembers what it was asked to wait. */
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
  it('is spoken to and goes when its stdin is closed', async () => {
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

  it('inherits the few variables of the list, gets its own, its arguments and its folder', async () => {
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
    const { connection, seen, flaws, until } = start('chatty');
    void connection.send('1');
    await until(() => seen.length === 1);
    expect(flaws).toEqual([expect.stringContaining('not JSON')]);
    await connection.close();
  });

  it('may print a banner that somebody wants to see', async () => {
    const stray: string[] = [];
    const { connection, seen, flaws, until } = start('chatty', {
      onStrayLine: (line) => void stray.push(line),
    });
    void connection.send('1');
    await until(() => seen.length === 1);
    expect(stray).toEqual(['Chatty server 1.0, listening on stdio']);
    expect(flaws).toEqual([]);
    await connection.close();
  });

  it('has its stderr kept and forwarded', async () => {
    const lines: string[] = [];
    const { connection, seen, until } = start('chatty', { stderr: (line) => void lines.push(line) });
    void connection.send('1');
    await until(() => seen.length === 1);
    while (lines.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual(['ready', 'warning: é in two pieces']);
    expect(connection.stderr).toEqual(lines);
    await connection.close();
  });

  it('is heard even while it does not listen', async () => {
    const { connection, seen, until } = start('deaf', { delay: hastyClock().delay });
    let room: Promise<void> | undefined;
    while (room === undefined) {
      room = connection.send(`"${'x'.repeat(1 << 16)}"`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const before = seen.length;
    await until(() => seen.length > before + 20);
    await connection.close();
  });

  it('does not grow the listeners of this process', async () => {
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

  it('is told from a folder that is missing', async () => {
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

  it('still has its last messages delivered', async () => {
    const { closed, seen, end } = start('dies', { args: ['1\n{"last":true}\n'] });
    await end();
    expect(seen).toEqual([1, { last: true }]);
    expect(closed[0]?.message).toMatch(/^".*dies.mjs .*" exited with code 3\.\n/);
  });

  it('has messages delivered that came before anybody listened, and its end after them', async () => {
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
    const connection = spawnConnection({ command: 'sh', args: ['-c', script], exitGraceMs: 10_000 });
    const reason = await new Promise<Error | undefined>((resolve) => {
      connection.start({ receive: () => undefined, malformed: () => undefined, closed: resolve });
    });
    expect(reason?.message).toMatch(/exited with code 3 .*\nIts last lines on stderr:\n {2}late$/s);
  });

  it('is named with its signal', async () => {
    const { connection, closed, seen, until, end } = start('echo');
    void connection.send('1');
    await until(() => seen.length === 1);
    process.kill(connection.pid as number, 'SIGKILL');
    await end();
    expect(closed[0]?.message).toMatch(/was ended by SIGKILL\.$/);
    expect(closed[0]).toMatchObject({ status: undefined });
  });

  it('does not hold up the news of its end by a grandchild that keeps its output open', async () => {
    const { closed, seen, connection, end } = start('parent', { args: ['meek', 'at-once'] });
    await end();
    expect(closed[0]?.message).toMatch(/exited with code 0\.$/);
    await connection.close();
    expect(runs((seen[0] as { grandchild: number }).grandchild)).toBe(false);
  });
});

describe('the ladder', () => {
  it('ends a child that ignores the end of stdin and SIGTERM', async () => {
    const clock = hastyClock();
    const { connection, seen, closed, until } = start('stubborn', {
      delay: clock.delay,
      closeWaitMs: 11,
      terminateWaitMs: 22,
      killWaitMs: 3_000,
    });
    await until(() => seen.length === 1);
    clock.waits.length = 0;
    await connection.close();
    // The flush took no wait to speak of; then every rung was used.
    expect(clock.waits.filter((ms) => ms !== 2000).slice(0, 3)).toEqual([11, 22, 3_000]);
    expect(closed).toEqual([undefined]);
  });

  it('is not needed for a child with a long farewell', async () => {
    const signals: unknown[] = [];
    const { connection, seen, closed, until } = start('long-farewell', {
      closeWaitMs: 15_000,
      kill: (_pid, signal) => void signals.push(signal),
    });
    await until(() => seen.length === 1);
    await connection.close();
    expect(closed).toEqual([undefined]);
    expect(signals.filter((signal) => signal !== 0)).toEqual([]);
  });

  it('signals the group, gently first', async () => {
    const signals: [number, unknown][] = [];
    const { connection, seen, until } = start('stubborn', {
      closeWaitMs: 1,
      terminateWaitMs: 1,
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
    const { connection, seen, closed, until } = start('parent', { args: ['stubborn'], terminateWaitMs: 40 });
    await until(() => seen.length === 1);
    const { grandchild } = seen[0] as { grandchild: number };
    expect(runs(grandchild)).toBe(true);
    await connection.close();
    expect(runs(grandchild)).toBe(false);
    expect(closed).toEqual([undefined]);
  });

  it('refuses waits and bounds that are none', () => {
    for (const bad of [{ closeWaitMs: -1 }, { exitGraceMs: Number.NaN }, { stderrLines: 0 }]) {
      expect(() => spawnConnection({ command: process.execPath, ...bad })).toThrow(RangeError);
    }
    expect(() => spawnConnection({ command: 'a\0b' })).toThrow(TypeError);
  });
});
