import { open, readFile, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { WorkbenchError } from '../../failures/workbench-error.js';

/** The largest file that is read, in bytes. */
const largest = 1_048_576;

/** The folder of a package. Only files below it are read. */
export class PublishFolder {
  readonly path: string;

  /** @param path - an absolute path. */
  constructor(path: string) {
    this.path = path;
  }

  /** Returns the text of a file; undefined if it does not exist. @throws WorkbenchError `usage` if it cannot be read. */
  async text(name: string): Promise<string | undefined> {
    const path = this.#inside(name);
    if (path === undefined) return undefined;
    try {
      const { size } = await stat(path);
      if (size > largest) throw tooLarge(name, size);
      return await readFile(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error instanceof WorkbenchError ? error : unreadable(name, error);
    }
  }

  /** True if there is a file with this name. */
  async isFile(name: string): Promise<boolean> {
    const path = this.#inside(name);
    if (path === undefined) return false;
    try {
      return (await stat(path)).isFile();
    } catch {
      return false;
    }
  }

  /** Returns the first bytes of a file; empty if it cannot be read. */
  async head(name: string, length: number): Promise<Buffer> {
    const path = this.#inside(name);
    if (path === undefined) return Buffer.alloc(0);
    try {
      const file = await open(path);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch {
      return Buffer.alloc(0);
    }
  }

  /** True if a name leads out of the folder. */
  isOutside(name: string): boolean {
    return this.#inside(name) === undefined;
  }

  #inside(name: string): string | undefined {
    const path = resolve(this.path, name);
    const way = relative(this.path, path);
    return way.startsWith('..') || isAbsolute(way) || isAbsolute(name) ? undefined : path;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function tooLarge(name: string, size: number): WorkbenchError {
  return new WorkbenchError('usage', `The file ${name} has ${size} bytes; ${largest} are allowed.`);
}

function unreadable(name: string, cause: unknown): WorkbenchError {
  return new WorkbenchError('usage', `The file ${name} cannot be read: ${(cause as Error).message}`, {
    cause,
  });
}
