import { watch as watchFolder } from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../testing/src/fake-clock.js';
import type { ClientEnvironment } from '../clients/client-environment.js';
import { type ConfigProblem, problemText } from '../servers/parse-servers.js';
import type { ServerChanges } from './server-changes.js';
import { type ServerWatcher, type WatchOptions, watchServers } from './watch-servers.js';

let root: string;
let environment: ClientEnvironment;
let clock: FakeClock;
let problems: ConfigProblem[];
let seen: string[];
let watcher: ServerWatcher | undefined;
let received: (() => void)[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tenon-watch-')));
  environment = { platform: process.platform, home: join(root, 'home'), cwd: join(root, 'work'), env: {} };
  await mkdir(environment.home);
  await mkdir(environment.cwd);
  clock = new FakeClock();
  problems = [];
  seen = [];
  received = [];
});

afterEach(async () => {
  watcher?.close();
  await rm(root, { recursive: true });
});

async function write(path: string, content: string | object): Promise<string> {
  const file = path.startsWith('~/') ? join(environment.home, path.slice(2)) : join(environment.cwd, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** Writes a file beside another and renames it, as editors do. */
async function replace(path: string, content: string | object): Promise<void> {
  await rename(await write(`${path}.tmp`, content), join(environment.cwd, path));
}

/** Returns a file with a server for each name, started by the command of that name. */
function listing(servers: Readonly<Record<string, string | object>>): object {
  const entries = Object.entries(servers).map(([name, one]) => [
    name,
    typeof one === 'string' ? { command: one } : one,
  ]);
  return { mcpServers: Object.fromEntries(entries) };
}

/** Watches, and notes each change as `+added -removed ~changed`. */
async function watch(options: Partial<WatchOptions> = {}): Promise<ServerWatcher> {
  watcher = await watchServers({
    environment,
    clock,
    onChange: (changes) => notice(textOf(changes)),
    onProblem: (problem) => {
      problems.push(problem);
      notice();
    },
    ...options,
  });
  return watcher;
}

function notice(text?: string): void {
  if (text !== undefined) seen.push(text);
  for (const one of received.splice(0)) one();
}

function textOf({ added, removed, changed }: ServerChanges): string {
  const marked = (mark: string, list: ServerChanges['added']) => list.map(({ name }) => mark + name);
  return [...marked('+', added), ...marked('-', removed), ...marked('~', changed)].join(' ');
}

/** Moves the clock on after each event, until the watcher calls a function. */
async function next(): Promise<void> {
  let isReceived = false;
  const notified = new Promise<void>((resolve) => received.push(resolve)).then(() => {
    isReceived = true;
  });
  while (!isReceived) {
    await Promise.race([notified, clock.armed(200)]);
    if (!isReceived) await clock.advance(200);
  }
}

function names(): string[] {
  return (watcher?.servers ?? []).map(({ name }) => name);
}

describe('a watched file', () => {
  it('reports the servers that were added, removed and changed', async () => {
    await write('mcp.json', listing({ a: 'x', b: 'x', c: 'x' }));
    const { servers } = await watch({ file: 'mcp.json' });
    expect(servers.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    await write('mcp.json', listing({ b: 'y', c: 'x', d: 'x' }));
    await next();
    expect(seen).toEqual(['+d -a ~b']);
    expect(watcher?.servers).toMatchObject([{ entry: { command: ['y'] } }, { name: 'c' }, { name: 'd' }]);
  });

  it('is seen each time when it is replaced by a rename', async () => {
    await write('mcp.json', listing({ a: 'x' }));
    await watch({ file: 'mcp.json' });
    for (const command of ['y', 'z']) {
      await replace('mcp.json', listing({ a: command }));
      await next();
    }
    expect(seen).toEqual(['~a', '~a']);
  });

  it('reports nothing when it is written without a change, or its layout changes', async () => {
    await write('mcp.json', listing({ a: 'x' }));
    await watch({ file: 'mcp.json' });
    await write('mcp.json', listing({ a: 'x' }));
    await clock.armed(200);
    await clock.advance(200);
    await replace('mcp.json', `// mine\n${JSON.stringify(listing({ a: 'x' }), undefined, 2)}`);
    await clock.armed(200);
    await clock.advance(200);
    await replace('mcp.json', listing({ a: 'x', b: 'x' }));
    await next();
    expect(seen).toEqual(['+b']);
  });

  it('reports a change of the disabled mark and of a file of variables', async () => {
    await write('.env', 'A=1\n');
    await write('mcp.json', listing({ a: { command: 'x', envFile: '.env' }, b: 'x' }));
    await watch({ file: 'mcp.json' });
    await write('.env', 'A=2\n');
    await next();
    await replace(
      'mcp.json',
      listing({ a: { command: 'x', envFile: '.env' }, b: { command: 'x', disabled: true } }),
    );
    await next();
    expect(seen).toEqual(['~a', '~b']);
  });

  it('is read despite events that do not stop', async () => {
    await write('mcp.json', listing({}));
    await watch({ file: 'mcp.json' });
    const folder = watchFolder(environment.cwd, { persistent: false });
    let arrived = () => {};
    folder.on('change', (_, name) => name === 'mcp.json' && arrived());
    for (let at = 0; at < 15; at++) {
      if (at > 0) await clock.advance(150);
      const event = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await replace('mcp.json', listing({ [`s${at}`]: 'x' }));
      await event;
    }
    folder.close();
    const changed = new Promise<void>((resolve) => received.push(resolve));
    await clock.advance(50);
    await changed;
    expect(clock.now()).toBeLessThanOrEqual(2_200);
    expect(seen).toHaveLength(1);
  });
});

describe('a watched file that cannot be used', () => {
  it('keeps its servers, and reports each problem once', async () => {
    await write('mcp.json', listing({ a: 'x' }));
    await watch({ file: 'mcp.json' });
    await replace('mcp.json', '{ "mcpServers": { "a": ');
    await next();
    await replace('mcp.json', '\n\n{ "mcpServers": { "a": ');
    await clock.armed(200);
    await clock.advance(200);
    await replace('mcp.json', '{ "mcpServer": {} }');
    await next();
    expect(names()).toEqual(['a']);
    await replace('mcp.json', listing({ a: 'y' }));
    await next();
    expect(seen).toEqual(['~a']);
    expect(problems.map(({ message }) => message)).toEqual(['value expected', 'contains no servers']);
    expect(watcher?.problems).toEqual([]);
  });

  it.each([
    ['is too large', () => write('mcp.json', `"${'x'.repeat(4_194_304)}"`), 'has more than 4194304 bytes'],
    [
      'is not UTF-8',
      () => writeFile(join(environment.cwd, 'mcp.json'), Buffer.from([0x7b, 0xff])),
      'is not UTF-8',
    ],
  ])('keeps its servers when it %s', async (_, spoil, message) => {
    await write('mcp.json', listing({ a: 'x' }));
    await watch({ file: 'mcp.json' });
    await spoil();
    await next();
    expect(problems).toMatchObject([{ message }]);
    await replace('mcp.json', listing({ a: 'x', b: 'x' }));
    await next();
    expect(seen).toEqual(['+b']);
  });

  it('keeps the server of an entry that cannot be used, and reports the changes of the others', async () => {
    await write('mcp.json', listing({ a: 'x', b: 'x' }));
    await watch({ file: 'mcp.json' });
    await replace('mcp.json', listing({ a: { command: 3 }, b: 'y' }));
    await next();
    expect(problems).toMatchObject([{ server: 'a', message: '"command" is not a text' }]);
    expect(seen).toEqual(['~b']);
    expect(names().sort()).toEqual(['a', 'b']);
    await replace('mcp.json', listing({ b: 'y' }));
    await next();
    expect(seen).toEqual(['~b', '-a']);
  });

  it.each([
    ['emptied', () => write('mcp.json', '')],
    ['deleted', () => rm(join(environment.cwd, 'mcp.json'))],
  ])('keeps its servers when it is %s and written again', async (_, spoil) => {
    await write('mcp.json', listing({ a: 'x' }));
    await watch();
    await spoil();
    await clock.armed(200);
    await clock.advance(200);
    // The file is read again later.
    await clock.armed(2_000);
    await write('mcp.json', listing({ a: 'x', b: 'x' }));
    await next();
    expect(seen).toEqual(['+b']);
    expect(problems).toEqual([]);
  });

  it('has no servers when a file of a client stays deleted', async () => {
    await write('mcp.json', listing({ a: 'x' }));
    await write('~/.cursor/mcp.json', listing({ b: 'x' }));
    await watch();
    await rm(join(environment.cwd, 'mcp.json'));
    await clock.armed(200);
    await clock.advance(200);
    await clock.armed(2_000);
    await clock.advance(2_000);
    await next();
    expect(seen).toEqual(['-a']);
    expect(names()).toEqual(['b']);
  });

  it('keeps its servers when it was named and stays deleted', async () => {
    const file = await write('mcp.json', listing({ a: 'x' }));
    await watch({ file });
    await rm(file);
    await clock.armed(200);
    await clock.advance(200);
    await clock.armed(2_000);
    await clock.advance(2_000);
    await next();
    expect(problems.map(problemText)).toEqual([`${file}: does not exist.`]);
    expect(names()).toEqual(['a']);
  });

  it('is a problem at the start, and is read once it exists', async () => {
    await watch({ file: 'sub/folder/mcp.json' });
    expect(problems).toMatchObject([{ message: 'does not exist' }]);
    await write('sub/folder/mcp.json', listing({ a: 'x' }));
    await next();
    expect(seen).toEqual(['+a']);
    expect(watcher?.problems).toEqual([]);
  });
});

describe('watched files of clients', () => {
  it('report the servers of a client that was not there before', async () => {
    await watch();
    await write('~/.cursor/mcp.json', listing({ a: 'x' }));
    await next();
    await write('.vscode/mcp.json', { servers: { b: { command: 'x' } } });
    await next();
    expect(seen).toEqual(['+a', '+b']);
    expect(watcher?.servers).toMatchObject([{ client: 'vscode' }, { client: 'cursor' }]);
  });

  it.each([
    ['deleted', () => rm(join(environment.home, '.cursor'), { recursive: true })],
    ['moved', () => rename(join(environment.home, '.cursor'), join(environment.home, 'old'))],
  ])('are seen in a folder that was %s and made again', async (_, spoil) => {
    await write('~/.cursor/mcp.json', listing({ a: 'x' }));
    await watch();
    await spoil();
    await write('~/.cursor/mcp.json', listing({ a: 'y' }));
    await next();
    await write('~/.cursor/mcp.json', listing({ a: 'z' }));
    await next();
    expect(seen).toEqual(['~a', '~a']);
  });

  it('tell servers of one name apart', async () => {
    const file = (local: string) => ({
      mcpServers: { a: { command: 'x' } },
      projects: { [environment.cwd]: { mcpServers: { a: { command: local } } } },
    });
    await write('~/.claude.json', file('x'));
    await watch();
    await write('~/.claude.json', file('y'));
    await next();
    expect(seen).toEqual(['~a']);
    expect(watcher?.servers).toMatchObject([
      { scope: 'local', entry: { command: ['y'] } },
      { scope: 'user', entry: { command: ['x'] } },
    ]);
  });

  it.runIf(process.platform !== 'win32')('are seen behind a symbolic link', async () => {
    const real = await write('~/dotfiles/cursor.json', listing({ a: 'x' }));
    await mkdir(join(environment.home, '.cursor'));
    await symlink(real, join(environment.home, '.cursor', 'mcp.json'));
    await watch();
    await write('~/dotfiles/cursor.json', listing({ a: 'y' }));
    await next();
    expect(seen).toEqual(['~a']);
  });
});

describe('a watcher', () => {
  it('keeps the process alive until it is closed', async () => {
    await write('mcp.json', listing({ a: 'x' }));
    const { close } = await watch();
    expect(process.getActiveResourcesInfo()).toContain('FSEventWrap');
    close();
    // The event loop closes handles at the end of a turn.
    for (let turn = 0; turn < 2; turn++) await setImmediate();
    expect(process.getActiveResourcesInfo()).not.toContain('FSEventWrap');
  });

  it.each(['closed', 'aborted'])('reports nothing when it is %s', async (how) => {
    await write('mcp.json', listing({ a: 'x' }));
    const controller = new AbortController();
    await watch({ signal: controller.signal });
    await write('mcp.json', listing({ a: 'y' }));
    await clock.armed(200);
    if (how === 'closed') watcher?.close();
    else controller.abort();
    expect(clock.waiting).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('rejects when its signal has aborted', async () => {
    await expect(watch({ signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow('over');
  });
});
