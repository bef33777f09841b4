import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import type { Clock } from '@tenon/mcp-session';
import { AuthError } from '../auth-error.js';
import { pause } from './pause.js';

// Windows has neither; there the folder of the user is closed to others by its access list.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

// Of this file, and of its locks.
const leftover = /^\.(?:[0-9a-f]{16}|(?:[0-9a-f]{16}\.)?lock(?:\.break)?\.[0-9a-f-]{36})\.tmp$/;

/**
 * A file of the user that nobody else may read, replaced as a whole each time it is written. Its folder may be a link, the
 * file may not.
 */
export class PrivateFile {
  readonly path: string;
  readonly #folder: string;
  readonly #bytes: number;
  readonly #clock: Clock;
  #tidy = false;

  /** @param bytes - how large it may be. */
  constructor(path: string, bytes: number, clock: Clock) {
    this.path = path;
    this.#folder = dirname(path);
    this.#bytes = bytes;
    this.#clock = clock;
  }

  /**
   * Makes the folder where there is none, for the user alone.
   * @throws AuthError `storage` when there can be none, or others may write to it.
   */
  async prepare(): Promise<void> {
    await this.#attempt('make the folder of', () => mkdir(this.#folder, { recursive: true, mode: 0o700 }));
    await this.#checkFolder();
  }

  /**
   * What the file holds; undefined when there is none.
   * @throws AuthError `storage` when it cannot be read, or others may read or replace it, or it is too large.
   */
  async read(): Promise<string | undefined> {
    await this.#checkFolder();
    const file = await this.#open();
    if (file === undefined) return undefined;
    try {
      const stats = await this.#attempt('read', () => file.stat());
      this.#checkFile(stats);
      if (stats.size > this.#bytes) {
        throw storage(
          `${this.path} is larger than ${this.#bytes} bytes: raise the option bytes, or delete the file and sign in again.`,
        );
      }
      return await this.#attempt('read', () => file.readFile('utf8'));
    } finally {
      await file.close();
    }
  }

  /** Replaces what the file holds, or leaves all as it is. @throws AuthError `storage` */
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
        await unlink(temporary).catch(noMatter);
        throw error;
      }
      await sync(this.#folder);
    });
  }

  /** Gives the file another name beside it, which nothing has. @returns its path. */
  async moveAside(): Promise<string> {
    for (let count = 1; count < 10; count++) {
      const aside = `${this.path}.broken-${count}`;
      if (await isThere(aside)) continue;
      await this.#attempt('move', () => rename(this.path, aside));
      return aside;
    }
    throw storage(
      `${this.path} is broken, as were others before: delete it and ${this.path}.broken-1 to -9.`,
    );
  }

  async #open(): Promise<FileHandle | undefined> {
    try {
      // A symbolic link is refused by the system itself, and a pipe is not waited for.
      if (O_NOFOLLOW === 0 && (await lstat(this.path)).isSymbolicLink()) throw this.#linked();
      return await open(this.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP' || code === 'EMLINK') throw this.#linked();
      throw error instanceof AuthError ? error : this.#failed('read', error);
    }
  }

  #checkFile(stats: Stats): void {
    if (!stats.isFile()) throw storage(`${this.path} is no file: choose another path.`);
    const user = process.geteuid?.();
    if (user === undefined) return;
    if (stats.uid !== user) {
      throw storage(`${this.path} belongs to another user (${stats.uid}): choose another path.`);
    }
    if ((stats.mode & 0o077) !== 0) {
      throw storage(
        `${this.path} is open to other users: delete it and sign in again, or, if nobody has read it, run chmod 600.`,
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
    if (!stats.isDirectory()) throw storage(`${this.#folder} is no folder: choose another path.`);
    const user = process.geteuid?.();
    if (user === undefined) return;
    if (stats.uid !== user && stats.uid !== 0) {
      throw storage(`${this.#folder} belongs to another user (${stats.uid}): choose another path.`);
    }
    if ((stats.mode & 0o022) !== 0) {
      throw storage(
        `Other users may write to ${this.#folder}: run chmod go-w on it, or choose another path.`,
      );
    }
  }

  /** What processes left that ended while they wrote. */
  async #removeLeftovers(): Promise<void> {
    const name = basename(this.path);
    const names = await readdir(this.#folder).catch(() => []);
    const left = names.filter((one) => one.startsWith(name) && leftover.test(one.slice(name.length)));
    for (const one of left) await unlink(join(this.#folder, one)).catch(noMatter);
  }

  async #replace(temporary: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await rename(temporary, this.path);
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        // On Windows a file cannot be replaced at the very moment in which somebody reads it.
        const mayPass = process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
        if (!mayPass || attempt === 20) throw error;
        await pause(25, this.#clock);
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

  #failed(what: string, cause: unknown): AuthError {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    return storage(
      `Cannot ${what} ${this.path} (${code}): see to it that this user can, or choose another path.`,
      cause,
    );
  }

  #linked(): AuthError {
    return storage(`${this.path} is a symbolic link: delete it, or give the path that it points to.`);
  }
}

async function fill(file: FileHandle, text: string): Promise<void> {
  try {
    // The mask of the process may have taken more away than it should.
    await file.chmod(0o600);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Has the new name of a file survive a failure of power; not every system can. */
async function sync(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, O_RDONLY).catch(noMatter);
  await handle?.sync().catch(noMatter);
  await handle?.close();
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function storage(message: string, cause?: unknown): AuthError {
  return new AuthError('storage', message, { cause });
}

function noMatter(): undefined {}
