import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readInsideRoots } from './client-files.js';
import { FolderWatch, type NoteChange } from './folder-watch.js';
import { NoteFolder } from './note-folder.js';

let base: string;
let notes: NoteFolder;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'notes-test-'));
  await mkdir(join(base, 'notes'));
  notes = new NoteFolder(join(base, 'notes'));
  await notes.create('first', '# First\n\nhello\n');
  await writeFile(join(base, 'secret.md'), 'secret');
});
afterEach(() => rm(base, { recursive: true, force: true }));

test.each(['../secret', '..', '', 'a/b', 'a.b', 'A', 'a\0b', '-a', 'a'.repeat(65)])(
  'no name leads out of the folder: %j',
  async (name) => {
    expect(await notes.read(name)).toBeUndefined();
    await expect(notes.create(name, 'x')).rejects.toThrow(RangeError);
    await expect(notes.replace(name, 'x')).rejects.toThrow(RangeError);
    await expect(notes.append(name, 'x')).rejects.toThrow(RangeError);
    await expect(notes.remove(name)).rejects.toThrow(RangeError);
  },
);

test('ignores links', async () => {
  await symlink(join(base, 'secret.md'), join(notes.path, 'link.md'));
  expect(await notes.names()).toEqual(['first']);
  expect(await notes.read('link')).toBeUndefined();
  expect(await notes.create('link', 'x')).toBe(false);
});

test('does not overwrite a note with a new one', async () => {
  expect(await notes.create('first', 'other')).toBe(false);
  expect(await notes.read('first')).toContain('hello');
});

test('reads only files inside the roots, after resolving links', async () => {
  const uri = (...path: readonly string[]) => pathToFileURL(join(base, ...path)).href;
  const roots = [{ uri: uri('gone') }, { uri: uri('notes') }];
  await symlink(join(base, 'secret.md'), join(notes.path, 'link.md'));
  expect(await readInsideRoots(uri('notes', 'first.md'), roots)).toContain('hello');
  for (const outside of [
    uri('secret.md'),
    uri('notes', 'link.md'),
    uri('notes'),
    'https://a.example/b',
    '',
  ]) {
    await expect(readInsideRoots(outside, roots)).rejects.toThrow('not a file inside');
  }
});

test('reports every kind of change', async () => {
  const changes: NoteChange[] = [];
  let message = () => {};
  const watch = new FolderWatch(notes, (change) => {
    changes.push(change);
    message();
  });
  await watch.ready();
  const next = () =>
    new Promise<void>((resolve) => {
      message = resolve;
    });
  const steps = [
    () => notes.create('second', 'x'),
    () => notes.replace('second', 'y'),
    () => notes.remove('second'),
  ];
  for (const step of steps) {
    const received = next();
    await step();
    await received;
  }
  watch.close();
  expect(changes.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'second added',
    'second changed',
    'second removed',
  ]);
});
