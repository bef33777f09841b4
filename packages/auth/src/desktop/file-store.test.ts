import { spawnSync } from 'node:child_process';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FileAuthStore } from './file-store.js';

const nobody = 65_534;
const tokens = { accessToken: 'secret-token' };

vi.mock('node:fs/promises', async (load) => {
  const real = await load<typeof import('node:fs/promises')>();
  return { ...real, open: vi.fn(real.open) };
});

let folder: string;
let path: string;
let store: FileAuthStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-store-'));
  path = join(folder, 'auth.json');
  store = new FileAuthStore({ path });
});

afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

describe('what a file store keeps', () => {
  it('is there for whoever comes next, under a version that changes', async () => {
    expect(await store.get('tokens:a')).toBeUndefined();
    expect(await store.swap('tokens:a', undefined, tokens)).toBe(true);
    const kept = await new FileAuthStore({ path }).get('tokens:a');
    expect(kept?.value).toEqual(tokens);
    expect(await store.swap('tokens:a', kept?.version, { accessToken: 'two' })).toBe(true);
    expect((await store.get('tokens:a'))?.version).not.toBe(kept?.version);
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('changes for nobody who knows another version', async () => {
    await store.swap('a', undefined, tokens);
    const first = (await store.get('a'))?.version;
    await store.swap('a', first, { accessToken: 'two' });
    expect(await store.swap('a', first, undefined)).toBe(false);
    expect(await store.swap('a', undefined, tokens)).toBe(false);
    expect(await store.swap('b', first, tokens)).toBe(false);
    expect((await store.get('a'))?.value).toEqual({ accessToken: 'two' });
  });

  it('is forgotten for good', async () => {
    await store.swap('a', undefined, tokens);
    const first = (await store.get('a'))?.version;
    expect(await store.swap('a', first, undefined)).toBe(true);
    expect(await store.get('a')).toBeUndefined();
    expect(await readFile(path, 'utf8')).not.toContain('secret-token');
    await store.swap('a', undefined, tokens);
    expect(await store.swap('a', first, undefined)).toBe(false);
  });

  it('holds all changes that are made at once', async () => {
    const keys = Array.from({ length: 50 }, (_, at) => `tokens:${at}`);
    const all = await Promise.all(keys.map((key) => store.swap(key, undefined, tokens)));
    expect(all.every(Boolean)).toBe(true);
    expect((await Promise.all(keys.map((key) => store.get(key)))).every((kept) => kept !== undefined)).toBe(
      true,
    );
  });

  it('is as large as it may be', async () => {
    const small = new FileAuthStore({ path, bytes: 400 });
    await small.swap('a', undefined, tokens);
    await small.swap('b', undefined, { accessToken: 'x'.repeat(200) });
    expect(await small.get('a')).toBeUndefined();
    expect((await stat(path)).size).toBeLessThanOrEqual(400);
    await expect(small.swap('c', undefined, { accessToken: 'x'.repeat(400) })).rejects.toMatchObject({
      reason: 'storage',
      message: 'What is to be kept is larger than 400 bytes: raise the option bytes.',
    });
    expect(await small.get('b')).toBeDefined();
    await expect(new FileAuthStore({ path, bytes: 100 }).get('b')).rejects.toThrow(
      'is larger than 100 bytes',
    );
  });

  it('is by default in the folder for such files, one for each program', () => {
    const { path: notes } = new FileAuthStore({ name: 'notes' });
    expect(notes.endsWith(join('tenon', 'notes-auth.json'))).toBe(true);
    expect(new FileAuthStore({ name: 'mail' }).path).not.toBe(notes);
  });

  it('is nowhere for options there are not', () => {
    expect(() => new FileAuthStore({ file: 'x' } as never)).toThrow('there is no option "file"');
    expect(() => new FileAuthStore({ bytes: -1 })).toThrow(RangeError);
  });
});

describe('nobody else', () => {
  it('can read the file or list its folder, whatever the mask', async () => {
    const before = process.umask(0);
    try {
      const deep = join(folder, 'state', 'tenon', 'auth.json');
      await new FileAuthStore({ path: deep }).swap('a', undefined, tokens);
      expect(await modeOf(deep)).toBe('600');
      expect(await modeOf(join(folder, 'state', 'tenon'))).toBe('700');
      expect(await modeOf(join(folder, 'state'))).toBe('700');
      process.umask(0o777);
      expect(await store.swap('a', undefined, tokens)).toBe(true);
      expect(await modeOf(path)).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  it('could have read it before it was closed to others', async () => {
    vi.mocked(open).mockClear();
    await store.swap('a', undefined, tokens);
    const made = vi.mocked(open).mock.calls.filter(([, flags]) => flags === 'wx');
    expect(
      made.map(([file]) => String(file)).filter((file) => /auth\.json\.[0-9a-f]+\.tmp$/.test(file)),
    ).toHaveLength(1);
    expect(made.map(([, , mode]) => mode)).toEqual(made.map(() => 0o600));
  });

  it.each([0o640, 0o604, 0o660, 0o666])('may read the file: mode %o is refused', async (mode) => {
    await store.swap('a', undefined, tokens);
    await chmod(path, mode);
    const told = {
      reason: 'storage',
      message: `${path} is open to other users: delete it and sign in again, or, if nobody has read it, run chmod 600.`,
    };
    await expect(store.get('a')).rejects.toMatchObject(told);
    await expect(store.swap('b', undefined, tokens)).rejects.toMatchObject(told);
    expect(await modeOf(path)).toBe(mode.toString(8));
  });

  it('may replace the file: a folder others may write to is refused', async () => {
    await store.swap('a', undefined, tokens);
    await chmod(folder, 0o777);
    const told = `Other users may write to ${folder}: run chmod go-w on it, or choose another path.`;
    await expect(store.get('a')).rejects.toThrow(told);
    await expect(store.swap('b', undefined, tokens)).rejects.toThrow(told);
    await expect(store.exclusively('b', async () => {})).rejects.toThrow(told);
  });

  it('owns the file or its folder', async () => {
    // A file of the superuser's that anybody may read, or, to the superuser, one of somebody else's.
    const other = process.geteuid?.() === 0 ? path : '/etc/hosts';
    if (other === path) {
      await writeFile(path, '', { mode: 0o600 });
      await chown(path, nobody, nobody);
    }
    await expect(new FileAuthStore({ path: other }).get('a')).rejects.toThrow(
      /belongs to another user \(\d+\): choose another path\.$/,
    );
  });

  it('has the file stand for another by a link', async () => {
    const elsewhere = join(folder, 'elsewhere.json');
    await new FileAuthStore({ path: elsewhere }).swap('a', undefined, tokens);
    await symlink(elsewhere, path);
    const told = {
      reason: 'storage',
      message: `${path} is a symbolic link: delete it, or give the path that it points to.`,
    };
    await expect(store.get('a')).rejects.toMatchObject(told);
    await expect(store.swap('a', undefined, tokens)).rejects.toMatchObject(told);
    expect((await new FileAuthStore({ path: elsewhere }).get('a'))?.value).toEqual(tokens);
  });

  it('has it stand for nothing yet', async () => {
    await symlink(join(folder, 'nowhere.json'), path);
    await expect(store.swap('a', undefined, tokens)).rejects.toThrow('is a symbolic link');
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('keeps a reader waiting with a pipe, or gives a folder for the file', async () => {
    expect(spawnSync('mkfifo', ['-m', '600', path]).status).toBe(0);
    await expect(store.get('a')).rejects.toThrow(`${path} is no file: choose another path.`);
    await rm(path);
    await mkdir(path, { mode: 0o700 });
    await expect(store.get('a')).rejects.toThrow(`${path} is no file: choose another path.`);
  });
});

describe('a folder that is a link', () => {
  it('is followed, and what it leads to is looked at', async () => {
    const real = join(folder, 'real');
    await mkdir(real, { mode: 0o700 });
    await symlink(real, join(folder, 'link'));
    const linked = new FileAuthStore({ path: join(folder, 'link', 'auth.json') });
    expect(await linked.swap('a', undefined, tokens)).toBe(true);
    await chmod(real, 0o777);
    await expect(linked.get('a')).rejects.toThrow('Other users may write to');
  });
});

describe('where nothing can be written', () => {
  it('says so, and still reads', async () => {
    await store.swap('a', undefined, tokens);
    await asNobody(async () => {
      await chmod(folder, 0o500);
      expect((await store.get('a'))?.value).toEqual(tokens);
      await expect(store.swap('b', undefined, tokens)).rejects.toMatchObject({
        reason: 'storage',
        message: `Cannot write ${path}.lock (EACCES): see to it that this user can, or choose another path.`,
      });
      const deep = join(folder, 'deep', 'auth.json');
      await expect(new FileAuthStore({ path: deep }).swap('b', undefined, tokens)).rejects.toMatchObject({
        reason: 'storage',
        message: `Cannot make the folder of ${deep} (EACCES): see to it that this user can, or choose another path.`,
      });
    });
  });

  it('says when there is no folder', async () => {
    const lost = new FileAuthStore({ path: '/dev/null/auth.json' });
    await expect(lost.get('a')).rejects.toThrow(/^Cannot read \/dev\/null\/auth\.json|is no folder/);
    await expect(lost.swap('a', undefined, tokens)).rejects.toThrow('Cannot make the folder of');
  });
});

describe('what is damaged', () => {
  it.each(['get', 'swap'] as const)('is put aside and told, once, by %s', async (method) => {
    await writeFile(path, '{"format":1,"entries":[{"key":"tok', { mode: 0o600 });
    const use = () => (method === 'get' ? store.get('a') : store.swap('a', undefined, tokens));
    await expect(use()).rejects.toMatchObject({
      reason: 'storage',
      message: `${path} was damaged. It is now ${path}.broken-1, and sign-ins begin anew: try again.`,
    });
    expect(await use()).toBe(method === 'get' ? undefined : true);
    expect(await readFile(`${path}.broken-1`, 'utf8')).toBe('{"format":1,"entries":[{"key":"tok');
    expect(await modeOf(`${path}.broken-1`)).toBe('600');
  });

  it('never takes the place of what was damaged before, nor fills the folder', async () => {
    for (let time = 1; time < 10; time++) {
      await writeFile(path, `broken ${time}`, { mode: 0o600 });
      await expect(store.get('a')).rejects.toThrow(`It is now ${path}.broken-${time},`);
    }
    await writeFile(path, 'broken again', { mode: 0o600 });
    await expect(store.get('a')).rejects.toThrow(
      `${path} is broken, as were others before: delete it and ${path}.broken-1 to -9.`,
    );
    expect(await readFile(`${path}.broken-1`, 'utf8')).toBe('broken 1');
    expect(await readFile(path, 'utf8')).toBe('broken again');
  });

  it('is told from what a newer version wrote, which stays', async () => {
    await writeFile(path, '{"format":2}', { mode: 0o600 });
    await expect(store.get('a')).rejects.toThrow(`${path} was written by a newer version of this program`);
    await expect(store.swap('a', undefined, tokens)).rejects.toThrow('a newer version');
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('is not what is empty', async () => {
    await writeFile(path, '', { mode: 0o600 });
    expect(await store.get('a')).toBeUndefined();
    expect(await store.swap('a', undefined, tokens)).toBe(true);
  });
});

it('a task runs alone under its key, and what it does with the store waits for nobody', async () => {
  const order: string[] = [];
  const first = store.exclusively('a', async () => {
    order.push('first');
    expect(await store.swap('a', undefined, tokens)).toBe(true);
    order.push('first done');
  });
  const second = store.exclusively('a', async () => void order.push('second'));
  await Promise.all([first, second]);
  expect(order.indexOf('first done') - order.indexOf('first')).toBe(1);
  await expect(store.exclusively('a', () => Promise.reject(new Error('mine')))).rejects.toThrow('mine');
  expect(await readdir(folder)).toEqual(['auth.json']);
});

it('what is told never holds what is kept', async () => {
  await store.swap('a', undefined, tokens);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -5), { mode: 0o600 });
  const told: unknown = await store.get('a').catch((error: unknown) => error);
  expect(inspect(told, { depth: 10 })).not.toContain('secret-token');
});

/** Does something as a user to whom modes mean something. */
async function asNobody(task: () => Promise<void>): Promise<void> {
  const root = process.geteuid?.() === 0;
  if (root) {
    for (const one of [folder, path]) await chown(one, nobody, nobody);
    process.seteuid?.(nobody);
  }
  try {
    await task();
  } finally {
    if (root) process.seteuid?.(0);
  }
}
