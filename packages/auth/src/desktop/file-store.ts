import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import type { JsonObject } from '@tenon/mcp-protocol';
import { type Clock, systemClock } from '@tenon/mcp-session';
import { optionRules, requireOptions } from '@tenon/mcp-session/internal';
import { AuthError } from '../auth-error.js';
import type { AuthStore, Kept } from '../client/auth-store.js';
import { defaultPath } from './default-path.js';
import { type FileEntry, readEntries, writeEntries } from './file-content.js';
import { LockFile, type LockOptions } from './lock-file.js';
import { PrivateFile } from './private-file.js';

/** Where a {@link FileAuthStore} keeps things, and its bounds. */
export interface FileAuthStoreOptions {
  /** The program; gives the file its name, in the folder for such files of this user, where no path is given. */
  readonly name?: string;
  /** The file. Nobody but the user may be able to write to its folder, which is made where there is none. */
  readonly path?: string;
  /** Size of the file; 1 MiB by default. Past it, what was written longest ago is forgotten. */
  readonly bytes?: number;
  /** Milliseconds to wait for another process that is writing; 15,000 by default. More than `stale`. */
  readonly lockWait?: number;
  /** Milliseconds to wait for a task of another process, such as one that refreshes a token; 60,000 by default. More than `stale`. */
  readonly taskWait?: number;
  /** Milliseconds without a sign of life after which another process is taken for dead; 10,000 by default. */
  readonly stale?: number;
  readonly clock?: Clock;
}

/**
 * Keeps what belongs to authorization in one file that only the user can read, and that any number of processes share.
 * Every method rejects with an AuthError `storage` when the file cannot be used, or others could read it.
 */
export class FileAuthStore implements AuthStore {
  readonly path: string;
  readonly #bytes: number;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;
  readonly #taskLock: LockOptions;
  /** Changes made here go one after the other, without waiting for the lock of each other. */
  #last: Promise<unknown> = Promise.resolve();

  /** @throws TypeError or RangeError for options that are misspelt or out of range. */
  constructor(options: FileAuthStoreOptions = {}) {
    const { text, positive, object } = optionRules;
    requireOptions('FileAuthStore', options, {
      ...{ name: text, path: text, bytes: positive },
      ...{ lockWait: positive, taskWait: positive, stale: positive, clock: object },
    });
    const { name = 'tenon', bytes = 1_048_576, clock = systemClock } = options;
    const { lockWait = 15_000, taskWait = 60_000, stale = 10_000 } = options;
    const { platform, env } = process;
    this.path = resolve(options.path ?? defaultPath(name, { platform, env, home: homedir() }));
    this.#bytes = bytes;
    this.#file = new PrivateFile(this.path, bytes, clock);
    this.#lock = new LockFile(`${this.path}.lock`, { stale, clock, wait: lockWait });
    this.#taskLock = { stale, clock, wait: taskWait };
  }

  async get(key: string): Promise<Kept | undefined> {
    const entries = await this.#read();
    if (entries === 'broken') return this.#change(async () => find(await this.#readWhole(), key));
    return find(entries, key);
  }

  async swap(key: string, version: string | undefined, value: JsonObject | undefined): Promise<boolean> {
    return this.#change(async () => {
      const entries = await this.#readWhole();
      if (find(entries, key)?.version !== version) return false;
      const others = entries.filter((entry) => entry.key !== key);
      const more = value === undefined ? [] : [{ key, version: randomUUID(), value }];
      const text = writeEntries([...others, ...more], this.#bytes);
      if (text === undefined) {
        throw new AuthError(
          'storage',
          `What is to be kept is larger than ${this.#bytes} bytes: raise the option bytes.`,
        );
      }
      await this.#file.write(text);
      return true;
    });
  }

  async exclusively<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // Not by its name: a key may hold what a file name may not.
    const name = createHash('sha256').update(key).digest('hex').slice(0, 16);
    const lock = new LockFile(`${this.path}.${name}.lock`, this.#taskLock);
    await this.#file.prepare();
    return lock.hold(task, signal);
  }

  #change<T>(task: () => Promise<T>): Promise<T> {
    const run = async () => {
      await this.#file.prepare();
      return this.#lock.hold(task);
    };
    const change = this.#last.then(run, run);
    this.#last = change;
    return change;
  }

  async #read(): Promise<readonly FileEntry[] | 'broken'> {
    const text = await this.#file.read();
    const content = text === undefined ? [] : readEntries(text);
    if (content !== 'newer') return content;
    throw new AuthError(
      'storage',
      `${this.path} was written by a newer version of this program: use that, or choose another path.`,
    );
  }

  /** Called while nobody else writes: what cannot be read is put aside, and told. */
  async #readWhole(): Promise<readonly FileEntry[]> {
    const entries = await this.#read();
    if (entries !== 'broken') return entries;
    const aside = await this.#file.moveAside();
    throw new AuthError(
      'storage',
      `${this.path} was damaged. It is now ${aside}, and sign-ins begin anew: try again.`,
    );
  }
}

function find(entries: readonly FileEntry[], key: string): Kept | undefined {
  const entry = entries.find((one) => one.key === key);
  return entry === undefined ? undefined : { value: entry.value, version: entry.version };
}
