import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, unlink } from 'node:fs/promises';
import process from 'node:process';
// By the name of the package, so that the entry of programs without files stays one file.
import { type Clock, pause } from '@tenon/foundation';
import { codeOf, type FileErrorOf, fileError } from './file-error.js';
import { LockWatch, readLock, type SeenLock, thisPlace } from './lock-holder.js';

export interface LockOptions {
  /** Milliseconds without an update after which the holder counts as dead. A holder updates the file four times in that time. */
  readonly stale: number;
  /** Milliseconds to wait for the lock. */
  readonly wait: number;
  readonly clock: Clock;
  /** Returns the errors. Default: a FileError. */
  readonly errorOf?: FileErrorOf;
}

interface Held {
  readonly token: string;
  readonly file: FileHandle;
}

// Milliseconds between two attempts: doubled each time up to the longest, plus up to half of that at random.
const pauses = { first: 4, longest: 40 };

/**
 * A lock between processes: a file that only one of them can create. The holder touches it regularly. A lock of a dead holder is
 * removed under a second lock, so that no process removes the lock of the next holder.
 */
export class LockFile {
  readonly #path: string;
  readonly #options: LockOptions;
  readonly #errorOf: FileErrorOf;

  constructor(path: string, options: LockOptions) {
    this.#path = path;
    this.#options = options;
    this.#errorOf = options.errorOf ?? fileError;
  }

  /**
   * Runs a task while holding the lock.
   * @throws the error of `errorOf` if the file cannot be written, or another process holds the lock for too long; the reason of the signal.
   */
  async hold<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const held = await this.#acquire(signal);
    const life = this.#showLife(held.file);
    try {
      return await task();
    } finally {
      await this.#release(held, await life.end());
    }
  }

  /** Touches the file regularly; `end` resolves with false if other processes may count the holder as dead. */
  #showLife(file: FileHandle): { end(): Promise<boolean> } {
    const { clock, stale } = this.#options;
    let touched = clock.now();
    let known = true;
    const isKnown = () => {
      known &&= clock.now() - touched < stale / 2;
      return known;
    };
    const touch = () => {
      const at = clock.now();
      const now = new Date();
      isKnown();
      const done = () => {
        touched = at;
      };
      touching = file.utimes(now, now).then(done, ignore);
      cancel = clock.schedule(touch, stale / 4);
    };
    let touching: Promise<void> = Promise.resolve();
    let cancel = clock.schedule(touch, stale / 4);
    return {
      async end() {
        cancel();
        await touching;
        return isKnown();
      },
    };
  }

  async #acquire(signal: AbortSignal | undefined): Promise<Held> {
    const { clock, wait, stale } = this.#options;
    const until = clock.now() + wait;
    const watch = new LockWatch(stale, clock);
    const breaking = new LockWatch(stale, clock);
    for (let ms = pauses.first; ; ms = Math.min(2 * ms, pauses.longest)) {
      signal?.throwIfAborted();
      const { held, seen } = await this.#try(watch, breaking);
      if (held !== undefined) return held;
      if (clock.now() >= until) throw this.#tooLong(seen);
      await pause(clock, ms * (1 + Math.random() / 2), { signal, holds: true });
    }
  }

  /** Acquires the lock, also from a dead holder; otherwise returns the lock of the current holder. */
  async #try(
    watch: LockWatch,
    breaking: LockWatch,
  ): Promise<{ held?: Held | undefined; seen?: SeenLock | undefined }> {
    try {
      const seen = await readLock(this.#path);
      const isFree =
        seen === undefined || (watch.isDead(seen) && (await this.#removeStale(seen.state, breaking)));
      return isFree ? { held: await create(this.#path) } : { seen };
    } catch (error) {
      throw this.#unusable(error);
    }
  }

  /** Removes the lock, unless another process has; `safely` if no other process can be about to remove it. */
  async #release({ file, token }: Held, safely: boolean): Promise<void> {
    try {
      const seen = await readLock(this.#path);
      if (seen?.holder?.token !== token) return;
      if (safely) await removed(this.#path);
      else await this.#removeStale(seen.state, new LockWatch(this.#options.stale, this.#options.clock));
    } catch {
      // The file is not touched any more, so other processes will remove it.
    } finally {
      await file.close().catch(ignore);
    }
  }

  /** Removes a lock that has not changed since `state` was read; false if another process is about to remove it. */
  async #removeStale(state: string, breaking: LockWatch): Promise<boolean> {
    const path = `${this.#path}.break`;
    const right = await create(path);
    if (right === undefined) {
      const other = await readLock(path);
      if (other !== undefined && breaking.isDead(other)) await removed(path);
      return false;
    }
    try {
      if ((await readLock(this.#path))?.state === state) await removed(this.#path);
      return true;
    } finally {
      await removed(path);
      await right.file.close();
    }
  }

  #unusable(cause: unknown): Error {
    const message = `Cannot write ${this.#path} (${codeOf(cause)}): make it writable for this user, or choose another path.`;
    return this.#errorOf(message, cause);
  }

  #tooLong(seen: SeenLock | undefined): Error {
    const who = seen?.holder === undefined ? 'Another process' : `Another process (${seen.holder.pid})`;
    const seconds = Math.round(this.#options.wait / 1_000);
    return this.#errorOf(
      `${who} has held ${this.#path} for more than ${seconds} s. End that process, or delete the file if it has ended.`,
    );
  }
}

/** Creates a lock file; undefined if another process has just created it. */
async function create(path: string): Promise<Held | undefined> {
  const token = randomUUID();
  // Linked to its name with its content, so that other processes always see the holder.
  const temporary = `${path}.${token}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify({ pid: process.pid, place: thisPlace, token }));
    await link(temporary, path);
    return { token, file };
  } catch (error) {
    await file.close();
    const code = codeOf(error);
    // Another process may have removed it as a leftover file.
    if (taken.has(code) || code === 'ENOENT') return undefined;
    if (withoutLinks.has(code)) return createEmpty(path, token);
    throw error;
  } finally {
    await removed(temporary);
  }
}

/** Does the same on file systems without hard links: for a moment, the file has no content. */
async function createEmpty(path: string, token: string): Promise<Held | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (taken.has(codeOf(error))) return undefined;
    throw error;
  }
  try {
    await file.writeFile(JSON.stringify({ pid: process.pid, place: thisPlace, token }));
    return { token, file };
  } catch (error) {
    await removed(path);
    await file.close();
    throw error;
  }
}

const onWindows = process.platform === 'win32';
// Windows returns the last three for a file that is being deleted.
const taken: ReadonlySet<string> = new Set(['EEXIST', ...(onWindows ? ['EPERM', 'EBUSY', 'EACCES'] : [])]);
const withoutLinks: ReadonlySet<string> = new Set(
  onWindows ? ['EISDIR', 'ENOTSUP'] : ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
);

async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function ignore(): void {}
