import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { insideRoots } from './root-guard.js';

type Files = typeof import('node:fs/promises');
const between = vi.hoisted(() => ({
  before: async () => {},
  after: async () => {},
  tells: true,
}));

// Simulates another process that acts just before and just after a file is opened.
vi.mock('node:fs/promises', async (original) => {
  const real = await original<Files>();
  return {
    ...real,
    readlink: async (path: string) => {
      if (!between.tells) throw new Error('no such thing here');
      return real.readlink(path);
    },
    open: async (...args: Parameters<Files['open']>) => {
      await between.before();
      const handle = await real.open(...args);
      await between.after();
      return handle;
    },
  };
});

let base = '';
let root = '';
const swap = async () => {
  await rename(join(root, 'sub'), join(base, 'kept'));
  await symlink(join(base, 'outside'), join(root, 'sub'));
};
const swapBack = async () => {
  await rm(join(root, 'sub'));
  await rename(join(base, 'kept'), join(root, 'sub'));
};
const nothing = async () => {};

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'race-')));
  root = join(base, 'root');
  for (const folder of [join(root, 'sub'), join(base, 'outside')]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'file'), folder);
  }
});
afterEach(async () => {
  Object.assign(between, { before: nothing, after: nothing, tells: true });
  await rm(base, { recursive: true, force: true });
});

describe.each([
  ['where the system tells the place of an open file', true],
  ['where it does not', false],
])('%s', (_, tells) => {
  test.each([
    ['stays so', nothing],
    ['is put back at once', swapBack],
  ])(
    'a folder that is replaced by a link before a file is opened, and %s, gives nothing away',
    async (_, after) => {
      Object.assign(between, { before: swap, after, tells });
      const guard = insideRoots([root]);
      for (const mode of ['read', 'write'] as const) {
        await expect(guard.open(join(root, 'sub', 'file'), mode)).rejects.toThrow('The path');
        expect(await readFile(join(base, 'outside', 'file'), 'utf8')).toBe(join(base, 'outside'));
        if (after === nothing) await swapBack();
      }
    },
  );

  test('a file that is replaced by a link is not followed', async () => {
    const before = async () => {
      await rm(join(root, 'sub', 'file'));
      await symlink(join(base, 'outside', 'file'), join(root, 'sub', 'file'));
    };
    Object.assign(between, { before, tells });
    await expect(insideRoots([root]).open(join(root, 'sub', 'file'), 'write')).rejects.toThrow(
      'changed while it was opened',
    );
    expect(await readFile(join(base, 'outside', 'file'), 'utf8')).toBe(join(base, 'outside'));
  });

  test('opens an unchanged file', async () => {
    between.tells = tells;
    const handle = await insideRoots([root]).open(join(root, 'sub', 'file'));
    expect(await handle.readFile('utf8')).toBe(join(root, 'sub'));
    await handle.close();
  });
});
