import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { shows } from '../../../tooling/suite/shows.js';
import { folderRoots } from './roots.js';

/** Paths that a mock makes unreadable, because a superuser can read every real path. */
const closed = vi.hoisted(() => new Set<string>());

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:fs/promises')>();
  const access: typeof actual.access = (path, mode) =>
    closed.has(String(path))
      ? Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
      : actual.access(path, mode);
  return { ...actual, access };
});

afterEach(() => closed.clear());

it('rejects an unreadable folder as a root, and drops a root that becomes unreadable', async () => {
  shows('2024-11-05/client/roots/permissions');
  const parent = await mkdtemp(join(tmpdir(), 'tenon-permissions-'));
  const [open, shut] = [join(parent, 'open'), join(parent, 'shut')];
  await Promise.all([mkdir(open), mkdir(shut)]);
  closed.add(shut);
  await expect(folderRoots([open, shut], { watch: false })).rejects.toThrow('it may not be read');

  closed.clear();
  const roots = await folderRoots([open, shut], { watch: false });
  expect(roots.available).toHaveLength(2);
  closed.add(shut);
  expect(await roots.refresh()).toBe(true);
  expect(roots.available.map(({ uri }) => uri)).toEqual([pathToFileURL(open).href]);
  await rm(parent, { recursive: true });
});
