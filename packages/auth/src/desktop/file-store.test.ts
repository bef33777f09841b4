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
import { otherBounds } from '@tenon/foundation';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shows } from '../../../../tooling/suite/shows.js';
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

describe('FileAuthStore', () => {
  it('keeps a value for other instances, and changes its version', async () => {
    expect(await store.get('tokens:a')).toBeUndefined();
    expect(await store.swap('tokens:a', undefined, tokens)).toBe(true);
    const kept = await new FileAuthStore({ path }).get('tokens:a');
    expect(kept?.value).toEqual(tokens);
    expect(await store.swap('tokens:a', kept?.version, { accessToken: 'two' })).toBe(true);
    expect((await store.get('tokens:a'))?.version).not.toBe(kept?.version);
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('changes nothing if the version is outdated', async () => {
    await store.swap('a', undefined, tokens);
    const first = (await store.get('a'))?.version;
    await store.swap('a', first, { accessToken: 'two' });
    expect(await store.swap('a', first, undefined)).toBe(false);
    expect(await store.swap('a', undefined, tokens)).toBe(false);
    expect(await store.swap('b', first, tokens)).toBe(false);
    expect((await store.get('a'))?.value).toEqual({ accessToken: 'two' });
  });

  it('removes deleted values from the file', async () => {
    await store.swap('a', undefined, tokens);
    const first = (await store.get('a'))?.version;
    expect(await store.swap('a', first, undefined)).toBe(true);
    expect(await store.get('a')).toBeUndefined();
    expect(await readFile(path, 'utf8')).not.toContain('secret-token');
    await store.swap('a', undefined, tokens);
    expect(await store.swap('a', first, undefined)).toBe(false);
  });

  it('keeps all changes that are made at the same time', async () => {
    const keys = Array.from({ length: 50 }, (_, at) => `tokens:${at}`);
    const all = await Promise.all(keys.map((key) => store.swap(key, undefined, tokens)));
    expect(all.every(Boolean)).toBe(true);
    expect((await Promise.all(keys.map((key) => store.get(key)))).every((kept) => kept !== undefined)).toBe(
      true,
    );
  });

  it('keeps the file within its bound, and drops the oldest value', async () => {
    const small = new FileAuthStore({ path, ...otherBounds({ bytes: 400 }) });
    await small.swap('a', undefined, tokens);
    await small.swap('b', undefined, { accessToken: 'x'.repeat(200) });
    expect(await small.get('a')).toBeUndefined();
    expect((await stat(path)).size).toBeLessThanOrEqual(400);
    await expect(small.swap('c', undefined, { accessToken: 'x'.repeat(400) })).rejects.toMatchObject({
      reason: 'storage',
      message: 'FileAuthStore: a value is larger than 400 bytes.',
    });
    expect(await small.get('b')).toBeDefined();
    await expect(new FileAuthStore({ path, ...otherBounds({ bytes: 100 }) }).get('b')).rejects.toThrow(
      'is larger than 100 bytes',
    );
  });

  it('has a default path for each program', () => {
    const { path: notes } = new FileAuthStore({ name: 'notes' });
    expect(notes.endsWith(join('tenon', 'notes-auth.json'))).toBe(true);
    expect(new FileAuthStore({ name: 'mail' }).path).not.toBe(notes);
  });

  it('rejects unknown and invalid options', () => {
    expect(() => new FileAuthStore({ file: 'x' } as never)).toThrow('there is no option "file"');
    expect(() => new FileAuthStore({ path: '' })).toThrow(TypeError);
  });
});

describe('FileAuthStore and other users', () => {
  it('creates file and folder only for the user, with any umask', async () => {
    shows('2026-07-28/basic/authorization/security-considerations/secure-storage');
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

  it('creates temporary files with the final permissions', async () => {
    vi.mocked(open).mockClear();
    await store.swap('a', undefined, tokens);
    const made = vi.mocked(open).mock.calls.filter(([, flags]) => flags === 'wx');
    expect(
      made.map(([file]) => String(file)).filter((file) => /auth\.json\.[0-9a-f]+\.tmp$/.test(file)),
    ).toHaveLength(1);
    expect(made.map(([, , mode]) => mode)).toEqual(made.map(() => 0o600));
  });

  it.each([0o640, 0o604, 0o660, 0o666])('rejects a file with mode %o', async (mode) => {
    await store.swap('a', undefined, tokens);
    await chmod(path, mode);
    const message = {
      reason: 'storage',
      message: `${path} is open to other users: delete it and sign in again, or run chmod 600 if no other user has read it.`,
    };
    await expect(store.get('a')).rejects.toMatchObject(message);
    await expect(store.swap('b', undefined, tokens)).rejects.toMatchObject(message);
    expect(await modeOf(path)).toBe(mode.toString(8));
  });

  it('rejects a folder that other users can write to', async () => {
    await store.swap('a', undefined, tokens);
    await chmod(folder, 0o777);
    const message = `Other users can write to ${folder}: run chmod go-w on it, or choose another path.`;
    await expect(store.get('a')).rejects.toThrow(message);
    await expect(store.swap('b', undefined, tokens)).rejects.toThrow(message);
    await expect(store.exclusively('b', async () => {})).rejects.toThrow(message);
  });

  it('rejects a file of another user', async () => {
    // For the superuser, a file of another user; otherwise, a file of the superuser that all users can read.
    const other = process.geteuid?.() === 0 ? path : '/etc/hosts';
    if (other === path) {
      await writeFile(path, '', { mode: 0o600 });
      await chown(path, nobody, nobody);
    }
    await expect(new FileAuthStore({ path: other }).get('a')).rejects.toThrow(
      /belongs to another user \(\d+\): choose another path\.$/,
    );
  });

  it('rejects a file that is a symbolic link', async () => {
    const elsewhere = join(folder, 'elsewhere.json');
    await new FileAuthStore({ path: elsewhere }).swap('a', undefined, tokens);
    await symlink(elsewhere, path);
    const message = {
      reason: 'storage',
      message: `${path} is a symbolic link: delete it, or set the path that it points to.`,
    };
    await expect(store.get('a')).rejects.toMatchObject(message);
    await expect(store.swap('a', undefined, tokens)).rejects.toMatchObject(message);
    expect((await new FileAuthStore({ path: elsewhere }).get('a'))?.value).toEqual(tokens);
  });

  it('does not write through a dangling symbolic link', async () => {
    await symlink(join(folder, 'nowhere.json'), path);
    await expect(store.swap('a', undefined, tokens)).rejects.toThrow('is a symbolic link');
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('rejects a pipe and a folder in place of the file', async () => {
    expect(spawnSync('mkfifo', ['-m', '600', path]).status).toBe(0);
    await expect(store.get('a')).rejects.toThrow(`${path} is not a file: choose another path.`);
    await rm(path);
    await mkdir(path, { mode: 0o700 });
    await expect(store.get('a')).rejects.toThrow(`${path} is not a file: choose another path.`);
  });
});

describe('FileAuthStore in a folder that is a symbolic link', () => {
  it('follows the link, and checks the real folder', async () => {
    const real = join(folder, 'real');
    await mkdir(real, { mode: 0o700 });
    await symlink(real, join(folder, 'link'));
    const linked = new FileAuthStore({ path: join(folder, 'link', 'auth.json') });
    expect(await linked.swap('a', undefined, tokens)).toBe(true);
    await chmod(real, 0o777);
    await expect(linked.get('a')).rejects.toThrow('Other users can write to');
  });
});

describe('FileAuthStore without write access', () => {
  it('throws for writes, and still reads', async () => {
    await store.swap('a', undefined, tokens);
    await asNobody(async () => {
      await chmod(folder, 0o500);
      expect((await store.get('a'))?.value).toEqual(tokens);
      await expect(store.swap('b', undefined, tokens)).rejects.toMatchObject({
        reason: 'storage',
        message: `Cannot write ${path}.lock (EACCES): make it writable for this user, or choose another path.`,
      });
      const deep = join(folder, 'deep', 'auth.json');
      await expect(new FileAuthStore({ path: deep }).swap('b', undefined, tokens)).rejects.toMatchObject({
        reason: 'storage',
        message: `Cannot make the folder of ${deep} (EACCES): give this user access to it, or choose another path.`,
      });
    });
  });

  it('throws if there is no folder', async () => {
    const lost = new FileAuthStore({ path: '/dev/null/auth.json' });
    await expect(lost.get('a')).rejects.toThrow(/^Cannot read \/dev\/null\/auth\.json|is not a folder/);
    await expect(lost.swap('a', undefined, tokens)).rejects.toThrow('Cannot make the folder of');
  });
});

describe('FileAuthStore with a damaged file', () => {
  it.each(['get', 'swap'] as const)('renames and reports it once in %s', async (method) => {
    await writeFile(path, '{"format":1,"entries":[{"key":"tok', { mode: 0o600 });
    const use = () => (method === 'get' ? store.get('a') : store.swap('a', undefined, tokens));
    await expect(use()).rejects.toMatchObject({
      reason: 'storage',
      message: `${path} was damaged. It has been renamed to ${path}.broken-1, and users have to sign in again: try again.`,
    });
    expect(await use()).toBe(method === 'get' ? undefined : true);
    expect(await readFile(`${path}.broken-1`, 'utf8')).toBe('{"format":1,"entries":[{"key":"tok');
    expect(await modeOf(`${path}.broken-1`)).toBe('600');
  });

  it('keeps earlier damaged files, up to nine', async () => {
    for (let time = 1; time < 10; time++) {
      await writeFile(path, `broken ${time}`, { mode: 0o600 });
      await expect(store.get('a')).rejects.toThrow(`It has been renamed to ${path}.broken-${time},`);
    }
    await writeFile(path, 'broken again', { mode: 0o600 });
    await expect(store.get('a')).rejects.toThrow(
      `${path} is damaged, and so are ${path}.broken-1 to -9: delete them.`,
    );
    expect(await readFile(`${path}.broken-1`, 'utf8')).toBe('broken 1');
    expect(await readFile(path, 'utf8')).toBe('broken again');
  });

  it('leaves a file of a newer version unchanged', async () => {
    await writeFile(path, '{"format":2}', { mode: 0o600 });
    await expect(store.get('a')).rejects.toThrow(`${path} was written by a newer version of this program`);
    await expect(store.swap('a', undefined, tokens)).rejects.toThrow('a newer version');
    expect(await readdir(folder)).toEqual(['auth.json']);
  });

  it('accepts an empty file', async () => {
    await writeFile(path, '', { mode: 0o600 });
    expect(await store.get('a')).toBeUndefined();
    expect(await store.swap('a', undefined, tokens)).toBe(true);
  });
});

it('exclusively() runs one task at a time for each key, and tasks can use the store', async () => {
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

it('an error contains no stored value', async () => {
  shows('2026-07-28/basic/authorization/security-considerations/secure-storage');
  await store.swap('a', undefined, tokens);
  await writeFile(path, (await readFile(path, 'utf8')).slice(0, -5), { mode: 0o600 });
  const message: unknown = await store.get('a').catch((error: unknown) => error);
  expect(inspect(message, { depth: 10 })).not.toContain('secret-token');
});

/** Runs a task as a user without special permissions. */
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
