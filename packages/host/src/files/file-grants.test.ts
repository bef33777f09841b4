import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherBounds } from '@tenon/foundation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GrantStore } from '../access/grant-store.js';
import { memoryGrants } from '../access/memory-grants.js';
import { fileGrants } from './file-grants.js';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-grants-'));
  path = join(folder, 'grants.json');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe.each<[string, number, (bounds?: object) => GrantStore]>([
  ['memoryGrants', 10_000, memoryGrants],
  ['fileGrants', 2, (bounds) => fileGrants(path, bounds)],
])('%s', (_, most, create) => {
  it('returns a changed document, and nothing after it is deleted', async () => {
    const grants = create();
    expect(await grants.read('a')).toBeUndefined();
    expect(await grants.change('a', (value) => ({ before: value === undefined }))).toEqual({ before: true });
    expect(await grants.change('a', (value) => ({ ...value, more: [1] }))).toEqual({
      before: true,
      more: [1],
    });
    expect(await grants.read('a')).toEqual({ before: true, more: [1] });
    expect(await grants.change('a', () => undefined)).toBeUndefined();
    expect(await grants.read('a')).toBeUndefined();
  });

  it('keeps documents under keys of any text apart', async () => {
    const grants = create();
    const keys = [
      '',
      '__proto__',
      'constructor',
      'a\nb',
      '"',
      '\ud800',
      'ä',
      'a\u0308',
      ' a',
      'x'.repeat(500),
    ];
    for (const key of keys) await grants.change(key, () => ({ key }));
    for (const key of keys) expect(await grants.read(key)).toEqual({ key });
  });

  it('makes all changes of one document that come at the same time', async () => {
    const grants = create();
    const add = () => grants.change('count', (value) => ({ count: Number(value?.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 50 }, add));
    expect(await grants.read('count')).toEqual({ count: 50 });
  });

  it('keeps the document if the function throws, and goes on', async () => {
    const grants = create();
    await grants.change('a', () => ({ count: 1 }));
    const failing = grants.change('a', () => {
      throw new Error('mine');
    });
    await expect(failing).rejects.toThrow('mine');
    expect(await grants.read('a')).toEqual({ count: 1 });
    await grants.change('a', () => ({ count: 2 }));
    expect(await grants.read('a')).toEqual({ count: 2 });
  });

  it('rejects a document past the bound, and drops none', async () => {
    const grants = create(otherBounds({ entries: most }));
    for (let other = 2; other < most; other++) await grants.change(`other ${other}`, () => ({}));
    for (const key of ['a', 'b']) await grants.change(key, () => ({ key }));
    await expect(grants.change('c', () => ({}))).rejects.toThrow('nothing was remembered');
    expect(await grants.read('a')).toEqual({ key: 'a' });
    expect(await grants.read('c')).toBeUndefined();
    await grants.change('a', () => ({ key: 'a2' }));
    await grants.change('b', () => undefined);
    await grants.change('c', () => ({ key: 'c' }));
    expect(await grants.read('c')).toEqual({ key: 'c' });
  });
});

describe('fileGrants and its file', () => {
  it('keeps documents for other instances, in a file for the user only', async () => {
    await fileGrants(path).change('a', () => ({ count: 1 }));
    expect(await fileGrants(path).read('a')).toEqual({ count: 1 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['grants.json']);
  });

  it('makes all changes of several instances that come at the same time', async () => {
    const all = [fileGrants(path), fileGrants(path), fileGrants(path)];
    const add = (grants: GrantStore) =>
      grants.change('count', (value) => ({ count: Number(value?.count ?? 0) + 1 }));
    await Promise.all(Array.from({ length: 10 }, () => all.map(add)).flat());
    expect(await fileGrants(path).read('count')).toEqual({ count: 30 });
  });

  it('rejects a change past the bytes of a file, and keeps the file', async () => {
    const grants = fileGrants(path, otherBounds({ bytes: 200 }));
    await grants.change('a', () => ({ count: 1 }));
    const before = await readFile(path, 'utf8');
    await expect(grants.change('b', () => ({ text: 'x'.repeat(300) }))).rejects.toMatchObject({
      name: 'FileError',
      message: expect.stringMatching(/may have 200: nothing was remembered/),
    });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it.each(['', '{', '[]', '{"format":2,"documents":[]}', '{"format":1,"documents":[["a",1]]}'])(
    'rejects the content %j, and does not replace it',
    async (text) => {
      await writeFile(path, text, { mode: 0o600 });
      const grants = fileGrants(path);
      await expect(grants.read('a')).rejects.toThrow('is damaged');
      await expect(grants.change('a', () => ({}))).rejects.toThrow('is damaged');
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );

  it('rejects a file that other users can read', async () => {
    const grants = fileGrants(path);
    await grants.change('a', () => ({ count: 1 }));
    await chmod(path, 0o644);
    await expect(grants.read('a')).rejects.toThrow('delete it and answer again, or run chmod 600');
  });

  it('rejects unknown and invalid options', () => {
    expect(() => fileGrants('')).toThrow('the path is missing');
    expect(() => fileGrants(path, { size: 1 } as never)).toThrow('there is no option "size"');
  });
});
