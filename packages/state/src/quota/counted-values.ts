import { byteLength } from '../keys.js';
import {
  type CompareOptions,
  type KeyValueStore,
  type State,
  StateError,
  type VersionedValue,
  type WriteOptions,
} from '../state.js';
import type { Account } from './account.js';
import type { Accounts } from './accounts.js';

/** Bytes that a backend needs for a value or an entry of a log, beside its key and its text. */
export const overhead = 64;

/** Values of a state, counted for their callers. */
export class CountedValues implements KeyValueStore {
  readonly #state: State;
  readonly #accounts: Accounts;
  readonly #callerOf: (key: string) => string;

  constructor(state: State, accounts: Accounts, callerOf: (key: string) => string) {
    this.#state = state;
    this.#accounts = accounts;
    this.#callerOf = callerOf;
  }

  async get(key: string): Promise<VersionedValue | undefined> {
    const { book } = this.#accounts;
    const before = book.get(key);
    const found = await this.#state.kv.get(key);
    // Another process has deleted the value, or has replaced it and counts it.
    const isGone = found === undefined || (before?.version !== undefined && before.version !== found.version);
    if (isGone && before !== undefined && book.get(key) === before) book.delete(key);
    return found;
  }

  async put(key: string, value: string, options: WriteOptions = {}): Promise<string> {
    return (await this.#write(key, value, {
      ttl: options.ttl,
      write: () => this.#state.kv.put(key, value, options),
    })) as string;
  }

  compareAndSet(key: string, value: string, options: CompareOptions): Promise<string | undefined> {
    const write = () => this.#state.kv.compareAndSet(key, value, options);
    return this.#write(key, value, { ttl: options.ttl, write });
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    const isThere = await this.#state.kv.touch(key, ttl);
    const { book } = this.#accounts;
    const known = book.get(key);
    if (!isThere) book.delete(key);
    else if (known === undefined) await this.#adopt(key, ttl);
    else {
      book.set(key, known, ttl);
      await this.#accounts.cover(known.account);
    }
    return isThere;
  }

  async delete(key: string, expected?: string): Promise<boolean> {
    const { book } = this.#accounts;
    const before = book.get(key);
    const isDeleted = await this.#state.kv.delete(key, expected);
    if ((isDeleted || expected === undefined) && book.get(key) === before) book.delete(key);
    return isDeleted;
  }

  /** Counts the value of another process, which counts it for the time that it has set itself. */
  async #adopt(key: string, ttl: number): Promise<void> {
    const { book } = this.#accounts;
    const found = await this.#state.kv.get(key);
    if (found === undefined || book.get(key) !== undefined) return;
    const account = this.#accounts.of(this.#callerOf(key));
    book.set(key, { account, bytes: sizeOf(key, found.value), version: found.version }, ttl);
    await this.#accounts.cover(account);
  }

  async #write(
    key: string,
    value: string,
    { ttl, write }: { ttl: number | undefined; write: () => Promise<string | undefined> },
  ): Promise<string | undefined> {
    const account = this.#accounts.of(this.#callerOf(key));
    const bytes = sizeOf(key, value);
    const charge = { account, bytes: Math.max(0, bytes - this.#bytesOf(key, account)) };
    const admission = this.#accounts.admit(charge, ttl);
    if (admission !== undefined) await admission;
    try {
      const version = await write();
      const written = { account, bytes, version };
      this.#accounts.settle(charge, version === undefined ? undefined : { key, written, ttl });
      return version;
    } catch (error) {
      const written = { account, bytes: Math.max(bytes, this.#bytesOf(key, account)) };
      this.#accounts.settle(charge, isUndecided(error, this.#state) ? { key, written, ttl } : undefined);
      throw error;
    }
  }

  #bytesOf(key: string, account: Account): number {
    const known = this.#accounts.book.get(key);
    return known?.account === account ? known.bytes : 0;
  }
}

/** True if a failed write may have taken effect: the backend was reached, and has not answered in time. */
export function isUndecided(error: unknown, { status }: State): boolean {
  return error instanceof StateError && error.reason === 'unavailable' && status === 'ready';
}

function sizeOf(key: string, value: string): number {
  return key.length + byteLength(value) + overhead;
}
