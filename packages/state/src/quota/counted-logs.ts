import { byteLength } from '../keys.js';
import type { AppendOptions, LogPage, LogStore, Retention, State } from '../state.js';
import type { Account } from './account.js';
import type { Accounts, Charge } from './accounts.js';
import { isUndecided, overhead } from './counted-values.js';
import type { WrittenEntry } from './written-book.js';

/** Logs of a state, counted for their callers: the entries that the last retention keeps. */
export class CountedLogs implements LogStore {
  readonly #state: State;
  readonly #accounts: Accounts;
  readonly #callerOf: (key: string) => string;

  constructor(state: State, accounts: Accounts, callerOf: (key: string) => string) {
    this.#state = state;
    this.#accounts = accounts;
    this.#callerOf = callerOf;
  }

  async append(key: string, value: string, options: AppendOptions = {}): Promise<number> {
    const account = this.#accounts.of(this.#callerOf(key));
    const bytes = byteLength(value) + overhead;
    const charge = { account, bytes: Math.max(0, bytes - this.#replaced(key, options)) };
    const admission = this.#accounts.admit(charge, options.ttl);
    if (admission !== undefined) await admission;
    try {
      const position = await this.#state.log.append(key, value, options);
      const last = this.#entriesOf(key).at(-1)?.position ?? 0;
      // The log has expired, and has begun again.
      if (position <= last) this.#accounts.book.delete(bookKey(key));
      const from = position <= last ? 0 : last;
      this.#appended(charge, key, { entry: { position, bytes }, options });
      // The append has extended the time of entries of other processes.
      if (position > from + 1) await this.#adopt(key, { from, to: position, account, options });
      return position;
    } catch (error) {
      const position = (this.#entriesOf(key).at(-1)?.position ?? 0) + 1;
      if (!isUndecided(error, this.#state)) this.#accounts.settle(charge);
      else this.#appended(charge, key, { entry: { position, bytes }, options });
      throw error;
    }
  }

  read(key: string, after: number, most?: Pick<Retention, 'entries' | 'bytes'>): Promise<LogPage> {
    return this.#state.log.read(key, after, most);
  }

  /** The entries count until the next append. */
  trim(key: string, keep: Retention): Promise<void> {
    return this.#state.log.trim(key, keep);
  }

  async touch(key: string, ttl: number): Promise<boolean> {
    const isThere = await this.#state.log.touch(key, ttl);
    const { book } = this.#accounts;
    const known = book.get(bookKey(key));
    if (!isThere) book.delete(bookKey(key));
    else if (known !== undefined) book.set(bookKey(key), known, ttl);
    return isThere;
  }

  async delete(key: string): Promise<boolean> {
    const isDeleted = await this.#state.log.delete(key);
    this.#accounts.book.delete(bookKey(key));
    return isDeleted;
  }

  #entriesOf(key: string): WrittenEntry[] {
    return this.#accounts.book.get(bookKey(key))?.entries ?? [];
  }

  /** Returns the bytes of the entry that an append drops, because the log has as many as it keeps. */
  #replaced(key: string, { keep }: AppendOptions): number {
    const entries = this.#entriesOf(key);
    const position = (entries.at(-1)?.position ?? 0) + 1;
    const [oldest] = entries;
    return oldest !== undefined && isPast(oldest, position, keep) ? oldest.bytes : 0;
  }

  #appended(
    charge: Charge,
    key: string,
    { entry, options }: { readonly entry: WrittenEntry; readonly options: AppendOptions },
  ): void {
    const { account } = charge;
    const entries = this.#entriesOf(key);
    add(entries, entry);
    const bytes = key.length + dropOld(entries, options.keep);
    const written = { account, bytes, entries };
    this.#accounts.settle(charge, { key: bookKey(key), written, ttl: options.ttl });
  }

  /** Counts the entries of other processes between two positions. They count them for the time that they have set themselves. */
  async #adopt(key: string, { from, to, account, options }: Adoption): Promise<void> {
    for (let after = from; after < to - 1; ) {
      const page = await this.#state.log.read(key, after).catch(() => undefined);
      const newest = page?.entries.at(-1);
      if (page === undefined || newest === undefined) break;
      after = newest.position;
      const entries = this.#entriesOf(key);
      for (const { position, value } of page.entries)
        add(entries, { position, bytes: byteLength(value) + overhead });
      const bytes = key.length + dropOld(entries, options.keep);
      this.#accounts.book.set(bookKey(key), { account, bytes, entries }, options.ttl);
    }
    await this.#accounts.cover(account);
  }
}

interface Adoption {
  readonly from: number;
  readonly to: number;
  readonly account: Account;
  readonly options: AppendOptions;
}

/** Adds an entry at its place, unless it is known. Answers of a backend may come in another order than the entries. */
function add(entries: WrittenEntry[], entry: WrittenEntry): void {
  let index = entries.length;
  while (index > 0 && (entries[index - 1] as WrittenEntry).position > entry.position) index--;
  if (entries[index - 1]?.position !== entry.position) entries.splice(index, 0, entry);
}

/** The key of a log in the book, where no value can have it. */
function bookKey(key: string): string {
  return `#${key}`;
}

/** Drops the entries that a retention does not keep. Returns the bytes of the others. */
function dropOld(entries: WrittenEntry[], keep: Retention | undefined): number {
  const { position = 0 } = entries.at(-1) ?? {};
  let sum = entries.reduce((bytes, entry) => bytes + entry.bytes, 0);
  for (let [oldest] = entries; oldest !== undefined && entries.length > 1; [oldest] = entries) {
    const isTooLong = sum - entries.length * overhead > (keep?.bytes ?? Number.POSITIVE_INFINITY);
    if (!isTooLong && !isPast(oldest, position, keep)) break;
    sum -= oldest.bytes;
    entries.shift();
  }
  return sum;
}

/** True if a log with an entry at this position has dropped an earlier one. */
function isPast({ position }: WrittenEntry, newest: number, keep: Retention | undefined): boolean {
  return keep?.entries !== undefined && position <= newest - keep.entries;
}
