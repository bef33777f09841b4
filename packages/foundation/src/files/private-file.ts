import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
// By the name of the package, so that the entry of programs without files stays one file.
import { type Clock, pause } from '@tenon/foundation';
import { codeOf, type FileErrorOf, fileError } from './file-error.js';

// Windows has neither flag; there the access control list of the user's folder excludes other users.
const { O_RDONLY, O_RDWR, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

// The error of a system that opens symbolic links without O_NOFOLLOW.
const linked = Object.assign(new Error('symbolic link'), { code: 'ELOOP' });

// Temporary files of this file and of its locks.
const leftover = /^\.(?:[0-9a-f]{16}|(?:[0-9a-f]{16}\.)?lock(?:\.break)?\.[0-9a-f-]{36})\.tmp$/;

/** Options of {@link PrivateFile}. */
export interface PrivateFileOptions {
  /** Size of the file for `read`, at most. */
  readonly bytes: number;
  readonly clock: Clock;
  /** Returns the errors. Default: a FileError. */
  readonly errorOf?: FileErrorOf;
  /** The words that follow "delete it" in errors, such as `and sign in again`. */
  readonly afterDeletion?: string;
}

/**
 * A file that only the user can read, replaced as a whole by each write. Its folder may be a symbolic link, but the file may not.
 */
export class PrivateFile {
  readonly path: string;
  readonly #folder: string;
  readonly #options: PrivateFileOptions;
  readonly #errorOf: FileErrorOf;
  readonly #deletion: string;
  #tidy = false;

  constructor(path: string, options: PrivateFileOptions) {
    this.path = path;
    this.#folder = dirname(path);
    this.#options = options;
    this.#errorOf = options.errorOf ?? fileError;
    this.#deletion = options.afterDeletion === undefined ? '' : ` ${options.afterDeletion}`;
  }

  /**
   * Creates the folder if it is missing, for the user only.
   * @throws the error of `errorOf` if that is impossible, or if other users have write access.
   */
  async prepare(): Promise<void> {
    await this.#attempt('make the folder of', () => mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    await this.#checkFolder();
  }

  /**
   * Reads the file; undefined if there is none.
   * @throws the error of `errorOf` if it is unreadable or too large, or if other users can read or replace it.
   */
  async read(): Promise<string | undefined> {
    const file = await this.open();
    if (file === undefined) return undefined;
    try {
      const { size } = await this.#attempt('read', () => file.stat());
      const { bytes } = this.#options;
      if (size > bytes) {
        throw this.#errorOf(
          `${this.path} is larger than ${bytes} bytes: raise the option bytes, or delete the file${this.#deletion}.`,
        );
      }
      // Decoding the whole at once takes a tenth of the time of decoding parts.
      return (await this.#attempt('read', () => file.readFile())).toString();
    } finally {
      await file.close();
    }
  }

  /**
   * Opens the file for reading, or for reading and appending; undefined if there is none.
   * @throws the error of `errorOf` if that is impossible, or if other users can read or replace it.
   */
  async open(use: 'read' | 'append' = 'read'): Promise<FileHandle | undefined> {
    await this.#checkFolder();
    const file = await this.#open(use);
    try {
      if (file !== undefined) this.#checkFile(await this.#attempt('read', () => file.stat()));
      return file;
    } catch (error) {
      await file?.close();
      throw error;
    }
  }

  /** Replaces the content of the file; after an error it is unchanged. @throws the error of `errorOf`. */
  async write(text: string): Promise<void> {
    if (!this.#tidy) await this.#removeLeftovers();
    this.#tidy = true;
    const temporary = `${this.path}.${randomBytes(8).toString('hex')}.tmp`;
    await this.#attempt('write', async () => {
      const file = await open(temporary, 'wx', 0o600);
      try {
        await fill(file, text);
        await this.#replace(temporary);
      } catch (error) {
        await unlink(temporary).catch(ignore);
        throw error;
      }
      await syncFolder(this.#folder);
    });
  }

  /** Renames the file to an unused name in its folder. @returns the new path. */
  async moveAside(): Promise<string> {
    for (let count = 1; count < 10; count++) {
      const aside = `${this.path}.broken-${count}`;
      if (await isThere(aside)) continue;
      await this.#attempt('move', () => rename(this.path, aside));
      return aside;
    }
    throw this.#errorOf(`${this.path} is damaged, and so are ${this.path}.broken-1 to -9: delete them.`);
  }

  async #open(use: 'read' | 'append'): Promise<FileHandle | undefined> {
    const flags = use === 'read' ? O_RDONLY : O_RDWR | O_APPEND;
    try {
      // The system rejects symbolic links, and O_NONBLOCK prevents waiting for a pipe.
      if (O_NOFOLLOW === 0 && (await lstat(this.path)).isSymbolicLink()) throw linked;
      return await open(this.path, flags | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return undefined;
      if (code !== 'ELOOP' && code !== 'EMLINK') throw this.#failed(use === 'read' ? 'read' : 'write', error);
      throw this.#errorOf(`${this.path} is a symbolic link: delete it, or set the path that it points to.`);
    }
  }

  #checkFile(stats: Stats): void {
    if (!stats.isFile()) throw this.#errorOf(`${this.path} is not a file: choose another path.`);
    const user = process.geteuid?.();
    if (user === undefined) return;
    if (stats.uid !== user) {
      throw this.#errorOf(`${this.path} belongs to another user (${stats.uid}): choose another path.`);
    }
    if ((stats.mode & 0o077) !== 0) {
      throw this.#errorOf(
        `${this.path} is open to other users: delete it${this.#deletion}, or run chmod 600 if no other user has read it.`,
      );
    }
  }

  async #checkFolder(): Promise<void> {
    let stats: Stats;
    try {
      stats = await stat(this.#folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw this.#failed('read', error);
    }
    if (!stats.isDirectory()) throw this.#errorOf(`${this.#folder} is not a folder: choose another path.`);
    const user = process.geteuid?.();
    if (user === undefined) return;
    if (stats.uid !== user && stats.uid !== 0) {
      throw this.#errorOf(`${this.#folder} belongs to another user (${stats.uid}): choose another path.`);
    }
    if ((stats.mode & 0o022) !== 0) {
      throw this.#errorOf(
        `Other users can write to ${this.#folder}: run chmod go-w on it, or choose another path.`,
      );
    }
  }

  /** Deletes temporary files of processes that ended while writing. */
  async #removeLeftovers(): Promise<void> {
    const name = basename(this.path);
    const names = await readdir(this.#folder).catch(() => []);
    const left = names.filter((one) => one.startsWith(name) && leftover.test(one.slice(name.length)));
    for (const one of left) await unlink(join(this.#folder, one)).catch(ignore);
  }

  async #replace(temporary: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await rename(temporary, this.path);
      } catch (error) {
        const code = codeOf(error);
        // Windows cannot replace a file while another process reads it.
        const mayPass = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
        if (!mayPass || attempt === 20) throw error;
        await pause(this.#options.clock, 25, { holds: true });
      }
    }
  }

  async #attempt<T>(what: string, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } catch (error) {
      throw this.#failed(what, error);
    }
  }

  #failed(what: string, cause: unknown): Error {
    return this.#errorOf(
      `Cannot ${what} ${this.path} (${codeOf(cause)}): give this user access to it, or choose another path.`,
      cause,
    );
  }
}

async function fill(file: FileHandle, text: string): Promise<void> {
  try {
    // The umask of the process may have removed permissions of the user.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the new name of a file survive a power failure, on systems that support it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, O_RDONLY).catch(ignore);
  await handle?.sync().catch(ignore);
  await handle?.close();
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function ignore(): undefined {}
