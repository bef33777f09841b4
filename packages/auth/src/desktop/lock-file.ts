import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, unlink } from 'node:fs/promises';
import process from 'node:process';
import { follow } from '@tenon/mcp-protocol/internal';
import type { Clock } from '@tenon/mcp-session';
import { AuthError } from '../auth-error.js';
import { LockWatch, lookAtLock, type SeenLock, thisPlace } from './lock-holder.js';
import { pause } from './pause.js';

/** How a {@link LockFile} is held and waited for. */
export interface LockOptions {
  /** Milliseconds without a sign of life after which a holder is taken for dead; he gives one four times as often. */
  readonly stale: number;
  /** Milliseconds to wait for whoever holds it. */
  readonly wait: number;
  readonly clock: Clock;
}

interface Held {
  readonly token: string;
  readonly file: FileHandle;
}

// Milliseconds between two looks at a lock that somebody holds: twice as many each time, and up to half as many again.
const pauses = { first: 4, longest: 40 };

/**
 * A lock between processes: a file that only one of them can create. Its holder touches it while he lives. One that was left
 * behind is taken away under a second lock, so that nobody takes away the lock of the next.
 */
export class LockFile {
  readonly #path: string;
  readonly #options: LockOptions;

  constructor(path: string, options: LockOptions) {
    this.#path = path;
    this.#options = options;
  }

  /**
   * Runs a task while nobody else holds the lock.
   * @throws AuthError `storage` when somebody holds it for too long; the reason of the signal.
   */
  async hold<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const held = await this.#acquire(signal);
    const life = this.#showLife(held.file);
    try {
      return await task();
    } finally {
      await this.#release(held, life.end());
    }
  }

  /** Touches the file again and again; `end` tells whether nobody can have taken its holder for dead meanwhile. */
  #showLife(file: FileHandle): { end(): boolean } {
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
      follow(file.utimes(now, now), done, noMatter);
      cancel = clock.schedule(touch, stale / 4);
    };
    let cancel = clock.schedule(touch, stale / 4);
    return {
      end() {
        cancel();
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
      await pause(ms * (1 + Math.random() / 2), clock, signal);
    }
  }

  /** Takes the lock, one that was left behind included, or sees who has it. */
  async #try(
    watch: LockWatch,
    breaking: LockWatch,
  ): Promise<{ held?: Held | undefined; seen?: SeenLock | undefined }> {
    try {
      const seen = await lookAtLock(this.#path);
      const isFree =
        seen === undefined || (watch.isDead(seen) && (await this.#takeAway(seen.state, breaking)));
      return isFree ? { held: await create(this.#path) } : { seen };
    } catch (error) {
      throw this.#unusable(error);
    }
  }

  /** Gives the lock back, unless somebody took it away; `safely` when nobody can be about to. */
  async #release({ file, token }: Held, safely: boolean): Promise<void> {
    try {
      const seen = await lookAtLock(this.#path);
      if (seen?.holder?.token !== token) return;
      if (safely) await removed(this.#path);
      else await this.#takeAway(seen.state, new LockWatch(this.#options.stale, this.#options.clock));
    } catch {
      // It is no longer touched, so others take it away.
    } finally {
      await file.close().catch(noMatter);
    }
  }

  /** Takes a lock away if it is still as it was seen; false when somebody else is about to take one away. */
  async #takeAway(state: string, breaking: LockWatch): Promise<boolean> {
    const path = `${this.#path}.break`;
    const right = await create(path);
    if (right === undefined) {
      const other = await lookAtLock(path);
      if (other !== undefined && breaking.isDead(other)) await removed(path);
      return false;
    }
    try {
      if ((await lookAtLock(this.#path))?.state === state) await removed(this.#path);
      return true;
    } finally {
      await removed(path);
      await right.file.close();
    }
  }

  #unusable(cause: unknown): AuthError {
    const told = `Cannot write ${this.#path} (${codeOf(cause)}): see to it that this user can, or choose another path.`;
    return new AuthError('storage', told, { cause });
  }

  #tooLong(seen: SeenLock | undefined): AuthError {
    const who = seen?.holder === undefined ? 'Another process' : `Another process (${seen.holder.pid})`;
    const seconds = Math.round(this.#options.wait / 1_000);
    return new AuthError(
      'storage',
      `${who} has held ${this.#path} for more than ${seconds} s. End that process, or delete the file if it has ended.`,
    );
  }
}

/** Makes a lock file; undefined when somebody else has just made it. */
async function create(path: string): Promise<Held | undefined> {
  const token = randomUUID();
  // It comes into being with what stands in it, so that whoever finds it knows whose it is.
  const temporary = `${path}.${token}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify({ pid: process.pid, place: thisPlace, token }));
    await link(temporary, path);
    return { token, file };
  } catch (error) {
    await file.close();
    const code = codeOf(error);
    // Somebody who cleaned up may have taken it for what was left behind.
    if (taken.has(code) || code === 'ENOENT') return undefined;
    if (withoutLinks.has(code)) return createEmpty(path, token);
    throw error;
  } finally {
    await removed(temporary);
  }
}

/** The same where a file system has no hard links: for a moment, nobody can tell whose it is. */
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
// Windows says the latter three of a file that is being deleted.
const taken: ReadonlySet<string> = new Set(['EEXIST', ...(onWindows ? ['EPERM', 'EBUSY', 'EACCES'] : [])]);
const withoutLinks: ReadonlySet<string> = new Set(
  onWindows ? ['EISDIR', 'ENOTSUP'] : ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
);

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

async function removed(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function noMatter(): void {}
