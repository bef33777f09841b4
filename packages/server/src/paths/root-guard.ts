import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Root } from '@tenon/mcp-protocol';
import { ToolError } from '../results/tool-result.js';
import { isWithin, type PathRules, readWirePath } from './wire-path.js';

const rules: PathRules = sep === '\\' ? 'windows' : 'posix';

/** Restricts paths from a peer to folders. Made by {@link insideRoots}. */
export interface RootGuard {
  /**
   * Returns the real path of a file or folder that is, or would be, inside one of the roots: links are followed first, also
   * in the existing part of the path. Use the returned path, not the given one.
   * @param path - an absolute path, a `file:` URI, or, if there is one root, a path relative to it.
   * @throws ToolError with the reason if the path is rejected; Error if none of the author's folders exists.
   */
  resolve(path: string): Promise<string>;
  /**
   * Opens a file inside the roots, and checks that the opened file is the checked one.
   * @param mode - `write` creates or empties the file. Default: `read`.
   * @throws ToolError like {@link resolve}, and if the file does not exist, may not be opened or is not an ordinary file.
   */
  open(path: string, mode?: 'read' | 'write'): Promise<FileHandle>;
}

/**
 * Creates a guard that restricts paths to roots, of the client (`await ctx.roots('roots')`) or of the author.
 * @param roots - roots, or paths of folders. A client's root that is not a usable folder is ignored.
 * @throws TypeError if a path of the author is not absolute, or `roots` is not a list.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/roots#security-considerations
 */
export function insideRoots(roots: readonly (Root | string)[]): RootGuard {
  if (!Array.isArray(roots)) {
    throw new TypeError('insideRoots takes a list of roots or folders, such as ["/srv/files"].');
  }
  const folders: string[] = [];
  const own: string[] = [];
  for (const root of roots as readonly (Root | string)[]) {
    const read = readWirePath(typeof root === 'string' ? root : root.uri, rules);
    const isUsable = read.ok && isAbsolute(read.path) && (typeof root === 'string' || isFileUri(root.uri));
    if (isUsable) {
      folders.push(normalize(read.path));
      if (typeof root === 'string') own.push(root);
    }
    if (!isUsable && typeof root === 'string') {
      const problem = read.ok ? 'is not absolute' : read.problem;
      throw new TypeError(`The folder ${JSON.stringify(root)} ${problem}: give an absolute path.`);
    }
  }
  return new FolderGuard(folders, own);
}

function isFileUri(uri: string): boolean {
  return /^file:/i.test(uri);
}

class FolderGuard implements RootGuard {
  readonly #folders: readonly string[];
  readonly #own: readonly string[];

  /** @param own - the roots of the author. */
  constructor(folders: readonly string[], own: readonly string[]) {
    this.#folders = folders;
    this.#own = own;
  }

  async resolve(path: string): Promise<string> {
    const read = readWirePath(path, rules);
    if (!read.ok) throw refusal(path, read.problem);
    const absolute = this.#absolute(path, read.path);
    const folders = await this.#realFolders();
    let real: string;
    try {
      real = await realPathOf(absolute);
    } catch (error) {
      // Errors must not reveal which files exist outside.
      const isOutside = ![...folders, ...this.#folders].some((folder) => isWithin(folder, absolute, rules));
      throw refusal(path, isOutside ? outside : problemOf(error), error);
    }
    if (!folders.some((folder) => isWithin(folder, real, rules))) throw refusal(path, outside);
    return real;
  }

  async open(path: string, mode: 'read' | 'write' = 'read'): Promise<FileHandle> {
    const real = await this.resolve(path);
    const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    // The file is emptied only after the check. Pipes must not make the open wait.
    const flags = (mode === 'read' ? O_RDONLY : O_WRONLY | O_CREAT) | O_NOFOLLOW | O_NONBLOCK;
    const handle = await open(real, flags, 0o666).catch((error: unknown) => {
      const problem = openingProblems.get((error as NodeJS.ErrnoException).code);
      throw problem === undefined ? error : refusal(path, problem, error);
    });
    try {
      const opened = await handle.stat();
      if (!opened.isFile()) throw refusal(path, 'is not an ordinary file');
      if (!(await this.#isInside(handle, real))) throw refusal(path, 'changed while it was opened');
      if (mode === 'write') await handle.truncate(0);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** True if the opened file is inside: by the system's path of it, or else by the current file at the path. */
  async #isInside(handle: FileHandle, real: string): Promise<boolean> {
    const place = await placeOf(handle);
    if (place !== undefined) {
      return (await this.#realFolders()).some((folder) => isWithin(folder, place, rules));
    }
    const [opened, there] = await Promise.all([handle.stat(), stat(real)]);
    return opened.ino === there.ino && opened.dev === there.dev && (await this.resolve(real)) === real;
  }

  #absolute(given: string, path: string): string {
    if (isAbsolute(path)) return normalize(path);
    const [folder, second] = this.#folders;
    if (folder !== undefined && second === undefined) return join(folder, path);
    const problem =
      folder === undefined ? outside : 'is relative, and there are several roots: give an absolute path';
    throw refusal(given, problem);
  }

  /** Returns the current real paths of the roots: some may be gone. */
  async #realFolders(): Promise<readonly string[]> {
    const found = await Promise.all(this.#folders.map((folder) => realpath(folder).catch(() => undefined)));
    const real = found.filter((folder) => folder !== undefined);
    if (real.length > 0) return real;
    // Not the caller's fault: only the author receives the paths of the folders.
    if (this.#own.length > 0)
      throw new Error(
        `insideRoots: there is no folder ${JSON.stringify(this.#own).slice(1, -1)}. Make it first.`,
      );
    throw new ToolError(
      this.#folders.length === 0
        ? 'There are no roots to work in: no path is allowed.'
        : 'The roots to work in are not there any more: no path is allowed.',
    );
  }
}

const outside = 'is outside the roots this server may work in';

function refusal(path: unknown, problem: string, cause?: unknown): ToolError {
  const shown = typeof path === 'string' ? JSON.stringify(path.slice(0, 256)) : 'given';
  return new ToolError(`The path ${shown} ${problem}.`, cause === undefined ? undefined : { cause });
}

function problemOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR') return 'goes through a file as if it were a folder';
  if (code === 'ELOOP' || code === 'ENOENT') return 'goes through a link that leads nowhere';
  return code === 'EACCES' || code === 'EPERM' ? 'may not be looked at' : `cannot be looked at (${code})`;
}

const openingProblems: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be opened'],
  ['EPERM', 'may not be opened'],
  ['EISDIR', 'is a folder'],
  ['ENXIO', 'is not an ordinary file'],
  ['ELOOP', 'changed while it was opened'],
]);

/** Returns the real path; its end may not exist. Rejects for a dangling link: writing would follow it. */
async function realPathOf(path: string): Promise<string> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(await realpath(at), ...missing);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(at) === at || (await isThere(at))) {
        throw error;
      }
      missing.unshift(basename(at));
    }
  }
}

/** Returns the path of an open file, on systems that can tell. */
async function placeOf(handle: FileHandle): Promise<string | undefined> {
  try {
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
