import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyFolder } from '../../test/run-create.js';
import { conflictsIn, folderState, writeProject } from './write.js';

const files = new Map([
  ['package.json', '{}\n'],
  ['src/server.ts', 'code\n'],
]);

describe('writeProject', () => {
  it('makes the folder and its parents', () => {
    const root = emptyFolder();
    writeProject(join(root, 'a/b'), files);
    expect(readdirSync(root, { recursive: true }).sort()).toEqual([
      'a',
      'a/b',
      'a/b/package.json',
      'a/b/src',
      'a/b/src/server.ts',
    ]);
  });

  it('leaves nothing behind when a file cannot be written', () => {
    const root = emptyFolder();
    const bad = new Map([...files, ['package.json/x', 'text']]);
    expect(() => writeProject(join(root, 'a/b'), bad)).toThrow(/a\/b cannot be written: /);
    expect(readdirSync(root)).toEqual([]);
  });

  it('restores the files of a folder when a later file cannot be moved', () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'package.json'), 'mine');
    writeFileSync(join(root, 'src'), 'mine too');
    expect(() => writeProject(root, files)).toThrow(/src is in the way/);
    expect(readFileSync(join(root, 'package.json'), 'utf8')).toBe('mine');
    expect(readdirSync(root).sort()).toEqual(['package.json', 'src']);
  });

  it('writes nothing through a link', () => {
    const [root, outside] = [emptyFolder(), emptyFolder()];
    symlinkSync(outside, join(root, 'src'));
    expect(() => conflictsIn(root, files)).toThrow(/src is in the way/);
    expect(() => writeProject(root, files)).toThrow(/src is in the way/);
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(root)).toEqual(['src']);
  });

  it('keeps the mode of a folder that exists', () => {
    const root = emptyFolder();
    chmodSync(root, 0o700);
    writeProject(root, files);
    expect(folderState(root).entries).toEqual(['package.json', 'src']);
  });
});

describe('folderState', () => {
  it('does not count version control, editors and a licence', () => {
    const root = emptyFolder();
    for (const name of ['.git', '.vscode']) mkdirSync(join(root, name));
    writeFileSync(join(root, 'LICENSE'), '');
    expect(folderState(root)).toEqual({ exists: true, entries: [] });
  });

  it('rejects a file, and a folder below a file', () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'file'), '');
    expect(() => folderState(join(root, 'file'))).toThrow(/is a file/);
    expect(() => folderState(join(root, 'file/below'))).toThrow(/cannot be written/);
  });
});

describe('conflictsIn', () => {
  it('names files with another text', () => {
    const root = emptyFolder();
    writeFileSync(join(root, 'package.json'), '{}\n');
    expect(conflictsIn(root, files)).toEqual([]);
    writeFileSync(join(root, 'package.json'), 'mine');
    expect(conflictsIn(root, files)).toEqual(['package.json']);
  });

  it('rejects a link in the place of a file', () => {
    const root = emptyFolder();
    symlinkSync('/etc/hostname', join(root, 'package.json'));
    expect(() => conflictsIn(root, files)).toThrow(/package.json is in the way/);
  });
});
