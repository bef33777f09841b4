import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { CreateError } from '../failure.js';
import type { ProjectFiles } from './compose.js';

/** Entries that a folder may have and still count as empty. Files in them that a template has too are conflicts. */
const harmless = new Set([
  '.git',
  '.hg',
  '.idea',
  '.vscode',
  '.DS_Store',
  'Thumbs.db',
  'LICENSE',
  'LICENSE.md',
]);

/** The state of a folder before a project is written. */
export interface FolderState {
  /** True if there is such a folder. */
  readonly exists: boolean;
  /** Names that would stay beside the project, sorted. */
  readonly entries: readonly string[];
}

/**
 * Returns the state of a folder.
 * @throws CreateError if there is a file of that name, or the folder cannot be read.
 */
export function folderState(folder: string): FolderState {
  try {
    if (!statSync(folder).isDirectory())
      throw new CreateError(`${folder} is a file.`, { hint: 'Choose another folder.' });
    const entries = readdirSync(folder).filter((name) => !harmless.has(name));
    return { exists: true, entries: entries.sort() };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { exists: false, entries: [] };
    throw error instanceof CreateError ? error : cannotWrite(folder, error);
  }
}

/**
 * Returns the paths of files that exist and have another text.
 * @throws CreateError if a path leads through a link or a file: nothing outside of the folder is written.
 */
export function conflictsIn(folder: string, files: ProjectFiles): string[] {
  return [...files]
    .filter(([path, text]) => {
      requirePlainParents(folder, path);
      const file = join(folder, path);
      const found = lstatSync(file, { throwIfNoEntry: false });
      if (found === undefined) return false;
      if (!found.isFile()) throw new CreateError(`${file} is in the way: it is a folder or a link.`);
      return found.size !== Buffer.byteLength(text) || readFileSync(file, 'utf8') !== text;
    })
    .map(([path]) => path);
}

/**
 * Writes all files, or none. They are first written to a folder of their own: a new project is that folder with another name, and
 * into a folder that exists the files are moved. Runs without waiting, so that Ctrl+C cannot come between.
 * @throws CreateError if something cannot be written.
 */
export function writeProject(folder: string, files: ProjectFiles): void {
  const { exists } = folderState(folder);
  // In a folder that exists: it may be the only one here that can be written.
  const parent = exists ? folder : dirname(folder);
  const staging = join(parent, `.create-tenon-${randomUUID()}`);
  let made: string | undefined;
  try {
    made = mkdirSync(parent, { recursive: true });
    for (const [path, text] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), text, { flag: 'wx' });
    }
    if (exists) moveInto(folder, staging, files);
    else renameSync(staging, folder);
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    throw error instanceof CreateError ? error : cannotWrite(folder, error);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Moves the files. If that fails, the folder has what it had before. */
function moveInto(folder: string, staging: string, files: ProjectFiles): void {
  const undo: (() => void)[] = [];
  try {
    for (const path of files.keys()) {
      const file = join(folder, path);
      requirePlainParents(folder, path);
      const made = mkdirSync(dirname(file), { recursive: true });
      if (made !== undefined) undo.push(() => rmSync(made, { recursive: true, force: true }));
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) {
        const kept = join(staging, randomUUID());
        renameSync(file, kept);
        undo.push(() => renameSync(kept, file));
      }
      renameSync(join(staging, path), file);
      undo.push(() => rmSync(file, { force: true }));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

/** A link in the folder could lead to any place. */
function requirePlainParents(folder: string, path: string): void {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const found = lstatSync(join(folder, parent), { throwIfNoEntry: false });
    if (found !== undefined && !found.isDirectory())
      throw new CreateError(`${join(folder, parent)} is in the way: it is a file or a link.`);
  }
}

function cannotWrite(folder: string, error: unknown): CreateError {
  const text = error instanceof Error ? error.message : String(error);
  return new CreateError(`${folder} cannot be written: ${text}`, { cause: error });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
