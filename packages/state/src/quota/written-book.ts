import type { Clock } from '@tenon/foundation';
import { ExpiringMap } from '../expiring-map.js';
import type { Account } from './account.js';

/** One entry of a log, as the process that appended it remembers it. */
export interface WrittenEntry {
  readonly position: number;
  readonly bytes: number;
}

/** A value or a log that this process wrote. */
export interface Written {
  readonly account: Account;
  readonly bytes: number;
  /** The version of a value; undefined if it is unknown. */
  readonly version?: string | undefined;
  /** The entries of a log that are kept, oldest first. */
  readonly entries?: WrittenEntry[] | undefined;
}

interface Remembered extends Written {
  readonly key: string;
  readonly expiresAt: number;
  /** The values and log entries that it counts as. */
  readonly weight: number;
}

/** Bytes of values that are not remembered one by one. */
interface Forgotten {
  readonly account: Account;
  bytes: number;
}

/** Values and log entries that are remembered at the same time, of all callers. Each takes about 200 bytes of memory. */
const mostRemembered = 131_072;
/** Milliseconds for which a value without an end counts. */
const longest = 30 * 86_400_000;

/**
 * The values and logs that this process has written and that have not expired, by key. If there are too many, the callers with the most
 * lose their oldest: those count until they would have expired, also if they are replaced or deleted before.
 */
export class WrittenBook {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #most: number;
  readonly #written: ExpiringMap<Remembered>;
  readonly #forgotten: ExpiringMap<Forgotten>;
  readonly #accounts = new LargestFirst<Account>();
  readonly #onFreed: (account: Account) => void;
  #remembered = 0;

  /** @param onFreed - called with an account that has fewer bytes than before. */
  constructor(clock: Pick<Clock, 'now'>, onFreed: (account: Account) => void, most: number = mostRemembered) {
    this.#clock = clock;
    this.#most = most;
    this.#onFreed = onFreed;
    this.#written = new ExpiringMap(clock, (written) => this.#dropped(written));
    this.#forgotten = new ExpiringMap(clock, ({ account, bytes }) => this.#free(account, bytes));
  }

  get(key: string): Written | undefined {
    return this.#written.get(key);
  }

  /** Replaces what is known of a key. @param ttl - milliseconds; undefined for no end. */
  set(key: string, written: Written, ttl: number = longest): void {
    const { account, bytes } = written;
    const expiresAt = this.#clock.now() + ttl;
    // First, so that the account does not look empty while its value is replaced.
    account.used += bytes;
    account.lastExpiry = Math.max(account.lastExpiry, expiresAt);
    const weight = 1 + (written.entries?.length ?? 0);
    this.#written.set(key, { ...written, key, expiresAt, weight }, ttl);
    account.keys.add(key);
    this.#weigh(account, weight);
    while (this.#remembered > this.#most) this.#forgetOldest();
  }

  delete(key: string): void {
    this.#written.delete(key);
  }

  /** Drops what has expired. */
  sweep(): void {
    this.#written.sweep();
    this.#forgotten.sweep();
  }

  #forgetOldest(): void {
    const [key = ''] = this.#accounts.first?.keys ?? [];
    const oldest = this.#written.get(key);
    if (oldest === undefined) return;
    this.#forget(oldest);
    this.delete(key);
  }

  /** Adds the bytes to those of the caller that expire at about the same time, a quarter of their time later at most. */
  #forget({ account, bytes, expiresAt }: Remembered): void {
    const now = this.#clock.now();
    const slot = 2 ** Math.floor(Math.log2(Math.max(1_024, expiresAt - now)) - 2);
    const end = Math.ceil(expiresAt / slot) * slot;
    const key = `${end} ${account.name}`;
    const known = this.#forgotten.get(key);
    account.used += bytes;
    account.lastExpiry = Math.max(account.lastExpiry, end);
    if (known === undefined) this.#forgotten.set(key, { account, bytes }, end - now);
    else known.bytes += bytes;
  }

  #dropped({ account, key, bytes, weight }: Remembered): void {
    account.keys.delete(key);
    this.#weigh(account, -weight);
    this.#free(account, bytes);
  }

  #weigh(account: Account, change: number): void {
    this.#remembered += change;
    account.remembered += change;
    this.#accounts.set(account, account.remembered);
  }

  #free(account: Account, bytes: number): void {
    account.used -= bytes;
    this.#onFreed(account);
  }
}

/** Items by size, so that one of the largest is found without a search. Sizes of items in one set differ by less than a factor of two. */
export class LargestFirst<Item extends object> {
  readonly #classes = new Map<number, Set<Item>>();
  readonly #classOf = new WeakMap<Item, number>();

  /** Records the size of an item; 0 removes it. */
  set(item: Item, size: number): void {
    const before = this.#classOf.get(item) ?? 0;
    const now = 32 - Math.clz32(size);
    if (now === before) return;
    this.#classOf.set(item, now);
    this.#classes.get(before)?.delete(item);
    if (now === 0) return;
    const alike = this.#classes.get(now);
    if (alike === undefined) this.#classes.set(now, new Set([item]));
    else alike.add(item);
  }

  /** Returns one of the largest items. */
  get first(): Item | undefined {
    for (let size = 32; size > 0; size--) {
      const [first] = this.#classes.get(size) ?? [];
      if (first !== undefined) return first;
    }
    return undefined;
  }
}
