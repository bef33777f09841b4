import { createHash, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { type Clock, constantsOf, optionRules, requireOptions, systemClock } from '@tenon/foundation';
import { LockFile, type LockOptions, PrivateFile } from '@tenon/foundation/node';
import type { JsonObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import type { AuthStore, StoredEntry } from '../store/auth-store.js';
import { serverOfEntry } from '../tokens/stored-tokens.js';
import { defaultPath } from './default-path.js';
import { type FileEntry, readEntries, writeEntries } from './file-content.js';

/** Options of {@link FileAuthStore}. */
export interface FileAuthStoreOptions {
  /** The name of the program, for the name of the file in the state folder of the user. Ignored if `path` is set. */
  readonly name?: string;
  /** The path of the file. Only the user may have write access to its folder, which is created if missing. */
  readonly path?: string;
  readonly clock?: Clock;
}

/** Bounds of a file, and times in milliseconds. */
const fileBounds = {
  /** Bytes of the file. The oldest entries are dropped first. */
  bytes: 1_048_576,
  /** To wait while another process writes. */
  lockWait: 15_000,
  /** To wait for a task of another process, such as a token refresh. */
  taskWait: 60_000,
  /** Without an update of its lock, after which another process counts as dead. */
  stale: 10_000,
};

/**
 * A store in one file that only the user can read, shared by any number of processes. Every method rejects with an AuthError
 * `storage` if the file cannot be used, or if other users could read it.
 */
export class FileAuthStore implements AuthStore {
  readonly path: string;
  readonly #bytes: number;
  readonly #file: PrivateFile;
  readonly #lock: LockFile;
  readonly #taskLock: LockOptions;
  /** Runs the changes of this instance one after the other, so that they do not wait for each other's lock. */
  #last: Promise<unknown> = Promise.resolve();

  /** @throws TypeError or RangeError if an option is unknown or invalid. */
  constructor(options: FileAuthStoreOptions = {}) {
    const { text, object } = optionRules;
    requireOptions('FileAuthStore', options, { name: text, path: text, clock: object });
    const { name = 'tenon', clock = systemClock } = options;
    const { bytes, lockWait, taskWait, stale } = constantsOf(fileBounds, options);
    const { platform, env } = process;
    this.path = resolve(options.path ?? defaultPath(name, { platform, env, home: homedir() }));
    this.#bytes = bytes;
    this.#file = new PrivateFile(this.path, { bytes, clock, errorOf, afterDeletion: 'and sign in again' });
    this.#lock = new LockFile(`${this.path}.lock`, { stale, clock, errorOf, wait: lockWait });
    this.#taskLock = { stale, clock, errorOf, wait: taskWait };
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const entries = await this.#read();
    if (entries === 'broken') return this.#change(async () => find(await this.#readWhole(), key));
    return find(entries, key);
  }

  /** Returns the URLs of the servers with stored tokens, in the order in which their users signed in. */
  async servers(): Promise<readonly string[]> {
    const read = await this.#read();
    const entries = read === 'broken' ? await this.#change(() => this.#readWhole()) : read;
    const servers = entries.map(({ key, value }) => serverOfEntry(key, value));
    return [...new Set(servers.filter((server) => server !== undefined))];
  }

  async swap(key: string, version: string | undefined, value: JsonObject | undefined): Promise<boolean> {
    return this.#change(async () => {
      const entries = await this.#readWhole();
      if (find(entries, key)?.version !== version) return false;
      const others = entries.filter((entry) => entry.key !== key);
      const more = value === undefined ? [] : [{ key, version: randomUUID(), value }];
      const text = writeEntries([...others, ...more], this.#bytes);
      if (text === undefined) throw errorOf(`FileAuthStore: a value is larger than ${this.#bytes} bytes.`);
      await this.#file.write(text);
      return true;
    });
  }

  async exclusively<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // A hash, because a key may contain characters that a file name may not.
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
    throw errorOf(
      `${this.path} was written by a newer version of this program: use that version, or choose another path.`,
    );
  }

  /** Reads the file while holding the lock: a damaged file is renamed and reported. */
  async #readWhole(): Promise<readonly FileEntry[]> {
    const entries = await this.#read();
    if (entries !== 'broken') return entries;
    const aside = await this.#file.moveAside();
    throw errorOf(
      `${this.path} was damaged. It has been renamed to ${aside}, and users have to sign in again: try again.`,
    );
  }
}

function errorOf(message: string, cause?: unknown): AuthError {
  return new AuthError('storage', message, { cause });
}

function find(entries: readonly FileEntry[], key: string): StoredEntry | undefined {
  const entry = entries.find((one) => one.key === key);
  return entry === undefined ? undefined : { value: entry.value, version: entry.version };
}
