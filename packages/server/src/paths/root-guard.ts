import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize, sep } from 'node:path';
import type { Root } from '@tenon/mcp-protocol';
import { ToolError } from '../tool-error.js';
import { isWithin, type PathRules, readWirePath } from './wire-path.js';

const rules: PathRules = sep === '\\' ? 'windows' : 'posix';

/** Keeps paths that come from a peer inside folders. Made by {@link insideRoots}. */
export interface RootGuard {
  /**
   * The real path of a file or folder that is, or would be, inside one of the roots: links are followed first, also
   * those above what does not exist yet. Use the path returned, not the one given.
   * @param path - an absolute path, a `file:` URI, or, where there is one root, a path relative to it.
   * @throws ToolError saying why the path is refused; Error when none of the folders is there that you named.
   */
  resolve(path: string): Promise<string>;
  /**
   * Opens a file inside the roots, and makes sure that what was opened is what was checked.
   * @param mode - `write` creates the file or empties it. Default `read`.
   * @throws ToolError as {@link resolve} does, and for what does not exist, may not be opened or is no ordinary file.
   */
  open(path: string, mode?: 'read' | 'write'): Promise<FileHandle>;
}

/**
 * Keeps paths inside roots, whether the client named them (`await ctx.roots('roots')`) or you did.
 * @param roots - roots, or paths of folders. A root of the client's that is no usable folder counts as none.
 * @throws TypeError for a path of yours that is not absolute, and for what is no list.
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
      const flaw = read.ok ? 'is not absolute' : read.flaw;
      throw new TypeError(`The folder ${JSON.stringify(root)} ${flaw}: give an absolute path.`);
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

  /** @param own - those of them that the author named. */
  constructor(folders: readonly string[], own: readonly string[]) {
    this.#folders = folders;
    this.#own = own;
  }

  async resolve(path: string): Promise<string> {
    const read = readWirePath(path, rules);
    if (!read.ok) throw refusal(path, read.flaw);
    const absolute = this.#absolute(path, read.path);
    const folders = await this.#realFolders();
    let real: string;
    try {
      real = await realPathOf(absolute);
    } catch (error) {
      // What lies outside must not be explored by the errors it gives.
      const isOutside = ![...folders, ...this.#folders].some((folder) => isWithin(folder, absolute, rules));
      throw refusal(path, isOutside ? outside : flawOf(error), error);
    }
    if (!folders.some((folder) => isWithin(folder, real, rules))) throw refusal(path, outside);
    return real;
  }

  async open(path: string, mode: 'read' | 'write' = 'read'): Promise<FileHandle> {
    const real = await this.resolve(path);
    const { O_RDONLY, O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    // It is emptied once it is known to be the right one. Pipes must not make the open wait.
    const flags = (mode === 'read' ? O_RDONLY : O_WRONLY | O_CREAT) | O_NOFOLLOW | O_NONBLOCK;
    const handle = await open(real, flags, 0o666).catch((error: unknown) => {
      const flaw = openingFlaws.get((error as NodeJS.ErrnoException).code);
      throw flaw === undefined ? error : refusal(path, flaw, error);
    });
    try {
      const opened = await handle.stat();
      if (!opened.isFile()) throw refusal(path, 'is no ordinary file');
      if (!(await this.#isInside(handle, real))) throw refusal(path, 'changed while it was opened');
      if (mode === 'write') await handle.truncate(0);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Whether what was opened is inside: by where the system says it is, or else by what is there now. */
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
    const flaw =
      folder === undefined ? outside : 'is relative, and there are several roots: give an absolute path';
    throw refusal(given, flaw);
  }

  /** Where the roots are at present: some may have gone. */
  async #realFolders(): Promise<readonly string[]> {
    const found = await Promise.all(this.#folders.map((folder) => realpath(folder).catch(() => undefined)));
    const real = found.filter((folder) => folder !== undefined);
    if (real.length > 0) return real;
    // No fault of the caller's: it is the author who has to hear of it, and where the folders are is nobody else's business.
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

function refusal(path: unknown, flaw: string, cause?: unknown): ToolError {
  const shown = typeof path === 'string' ? JSON.stringify(path.slice(0, 256)) : 'given';
  return new ToolError(`The path ${shown} ${flaw}.`, cause === undefined ? undefined : { cause });
}

function flawOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOTDIR') return 'goes through a file as if it were a folder';
  if (code === 'ELOOP' || code === 'ENOENT') return 'goes through a link that leads nowhere';
  return code === 'EACCES' || code === 'EPERM' ? 'may not be looked at' : `cannot be looked at (${code})`;
}

const openingFlaws: ReadonlyMap<string | undefined, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['EACCES', 'may not be opened'],
  ['EPERM', 'may not be opened'],
  ['EISDIR', 'is a folder'],
  ['ENXIO', 'is no ordinary file'],
  ['ELOOP', 'changed while it was opened'],
]);

/** The real path, of which the end need not exist. Rejects for a link that leads nowhere: writing would follow it. */
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

/** Where an open file is, on systems that tell. */
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
