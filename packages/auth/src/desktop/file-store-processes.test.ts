import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Child,
  type ChildProgram,
  childProgram,
} from '../../../../tooling/suite/services/child-program.js';
import { FileAuthStore } from './file-store.js';

let program: ChildProgram;
let count = 0;

beforeAll(async () => {
  program = await childProgram(new URL('../../test/desktop/store-process.ts', import.meta.url));
}, 30_000);

afterAll(() => program.end());

async function newPath(): Promise<string> {
  const folder = join(program.folder, `store-${++count}`);
  await mkdir(folder, { mode: 0o700 });
  return join(folder, 'auth.json');
}

function locksIn(path: string): Promise<string[]> {
  return readdir(join(path, '..')).then((names) => names.filter((name) => name !== 'auth.json'));
}

it('keeps the changes of several processes', async () => {
  const path = await newPath();
  const children = Array.from({ length: 4 }, () => program.start('count', path, '15'));
  expect(await Promise.all(children.map(({ exit }) => exit))).toEqual([0, 0, 0, 0]);
  expect((await new FileAuthStore({ path }).get('count'))?.value).toEqual({ count: 60 });
  expect(await locksIn(path)).toEqual([]);
}, 30_000);

it('refreshes once for two processes, and both get the token', async () => {
  const path = await newPath();
  const refreshes = `${path}.refreshes`;
  await new FileAuthStore({ path }).swap('tokens', undefined, { accessToken: 'expired' });
  const children = [program.start('refresh', path, refreshes), program.start('refresh', path, refreshes)];
  expect(await lines(children)).toEqual(['ready', 'ready']);
  for (const child of children) child.say('go');
  const [one, other] = await lines(children);
  expect(one).toBe(other);
  expect(one).toMatch(/^of \d+$/);
  const content = await readFile(refreshes, 'utf8');
  expect(content.trim().split('\n')).toHaveLength(1);
});

it('waits for a task of another process', async () => {
  const path = await newPath();
  const child = program.start('hold', path, 'tokens:a');
  expect(await child.line()).toBe('held');
  const store = new FileAuthStore({ path, ...otherBounds({ taskWait: 60 }) });
  const task = () => store.exclusively('tokens:a', async () => 'mine');
  await expect(task()).rejects.toThrow(`Another process (${child.pid}) has held `);
  expect(await store.exclusively('tokens:b', async () => 'mine')).toBe('mine');
  const waiting = new FileAuthStore({ path }).exclusively('tokens:a', async () => 'mine');
  child.say('let go');
  expect(await waiting).toBe('mine');
  expect(await child.exit).toBe(0);
});

it('takes over from a killed process', async () => {
  const path = await newPath();
  const child = program.start('hold', path, 'tokens:a');
  expect(await child.line()).toBe('held');
  child.signal('SIGKILL');
  await child.exit;
  expect(await locksIn(path)).toHaveLength(1);
  // Its process id shows that it has ended, long before `stale` has passed.
  const store = new FileAuthStore({ path, ...otherBounds({ taskWait: 2_000, stale: 600_000 }) });
  expect(await store.exclusively('tokens:a', async () => 'mine')).toBe('mine');
  expect(await locksIn(path)).toEqual([]);
});

it('takes over from a process that was killed while writing', async () => {
  const path = await newPath();
  const child = program.start('lock', `${path}.lock`);
  expect(await child.line()).toBe('held');
  child.signal('SIGKILL');
  await child.exit;
  const left = ['0123456789abcdef', `lock.${randomUUID()}`, `0123456789abcdef.lock.${randomUUID()}`];
  for (const name of left) await writeFile(`${path}.${name}.tmp`, 'half', { mode: 0o600 });
  const store = new FileAuthStore({ path, ...otherBounds({ lockWait: 2_000, stale: 600_000 }) });
  expect(await store.swap('a', undefined, { one: 1 })).toBe(true);
  expect(await locksIn(path)).toEqual([]);
});

it('gives a lock of a killed process to many waiting tasks, one after the other', async () => {
  const path = await newPath();
  const child = program.start('hold', path, 'a');
  expect(await child.line()).toBe('held');
  child.signal('SIGKILL');
  await child.exit;
  let inside = 0;
  let most = 0;
  const tasks = Array.from({ length: 12 }, () =>
    new FileAuthStore({ path, ...otherBounds({ stale: 600_000 }) }).exclusively('a', async () => {
      most = Math.max(most, ++inside);
      await readFile(path).catch(() => {});
      inside--;
    }),
  );
  await Promise.all(tasks);
  expect(most).toBe(1);
});

it('takes the lock of a suspended process, which removes no other lock when it continues', async () => {
  const path = await newPath();
  const child = program.start('hold', path, 'a');
  expect(await child.line()).toBe('held');
  child.signal('SIGSTOP');
  const store = new FileAuthStore({ path, ...otherBounds({ stale: 300 }) });
  let done = false;
  await store.exclusively('a', async () => {
    child.say('let go');
    child.signal('SIGCONT');
    expect(await child.line()).toBe('done');
    await expect(
      new FileAuthStore({ path, ...otherBounds({ taskWait: 60 }) }).exclusively('a', async () => {}),
    ).rejects.toThrow(`Another process (${process.pid}) has held`);
    done = true;
  });
  expect(done).toBe(true);
  expect(await child.exit).toBe(0);
  expect(await locksIn(path)).toEqual([]);
});

it('keeps the file intact if processes are killed while writing', async () => {
  const path = await newPath();
  const store = new FileAuthStore({ path, ...otherBounds({ stale: 600_000 }) });
  for (let round = 0; round < 6; round++) {
    const children = [program.start('write', path, 'a'), program.start('write', path, 'b')];
    expect(await lines(children)).toEqual(['writing', 'writing']);
    const before = (await store.get('a'))?.version;
    await expect.poll(async () => (await store.get('a'))?.version, { timeout: 10_000 }).not.toBe(before);
    for (const child of children) child.signal('SIGKILL');
    await Promise.all(children.map(({ exit }) => exit));
    const text = await readFile(path, 'utf8');
    expect(() => JSON.parse(text)).not.toThrow();
  }
  expect(await store.swap('last', undefined, { one: 1 })).toBe(true);
  expect(await locksIn(path)).toEqual([]);
}, 30_000);

function lines(children: readonly Child[]): Promise<(string | undefined)[]> {
  return Promise.all(children.map((child) => child.line()));
}
