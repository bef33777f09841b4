import { type Cancel, type Clock, detach } from '@tenon/foundation';
import { type State, StateError } from '../state.js';
import { Account } from './account.js';
import { type LedgerSettings, Reservation } from './ledger.js';
import { type Written, WrittenBook } from './written-book.js';

/** The settings of {@link Accounts}. */
export interface AccountsSettings {
  readonly state: State;
  readonly clock: Pick<Clock, 'now'> & Partial<Clock>;
  readonly wall: Pick<Clock, 'now'>;
}

/** A write that was admitted: bytes that count until it has ended. */
export interface Charge {
  readonly account: Account;
  readonly bytes: number;
}

/** A write that has taken effect. */
export interface FinishedWrite {
  readonly key: string;
  readonly written: Written;
  readonly ttl: number | undefined;
}

/** Callers that are counted one by one. Others beyond them count as one caller. */
const mostAccounts = 100_000;
const everyoneElse = '';
/** A process reserves the bytes of a caller in this many parts. It uses one without a reservation. */
const chunks = 64;
/** Milliseconds between two looks for reserved bytes that are not needed any more. */
const returnEvery = 5_000;
/** Milliseconds between two reports about one caller. */
const reportEvery = 60_000;
/** Callers with a last report that is remembered. */
const mostReported = 1_000;

/** Counts the bytes of each caller in the state, and refuses writes beyond the bound. */
export class Accounts {
  readonly book: WrittenBook;
  /** Bytes of one caller. */
  limit: number;
  onError: ((error: unknown, where: string) => void) | undefined;
  readonly #settings: AccountsSettings;
  readonly #ledger: LedgerSettings | undefined;
  readonly #accounts = new Map<string, Account>();
  /** The accounts with reserved bytes. */
  readonly #reserving = new Set<Account>();
  /** The time on the clock at which a refusal of a caller was last reported. */
  readonly #reported = new Map<string, number>();
  #stopReturn: Cancel | undefined;

  constructor(limit: number, settings: AccountsSettings) {
    const { state, clock, wall } = settings;
    this.limit = limit;
    this.#settings = settings;
    this.#ledger =
      state.join === undefined ? undefined : { kv: state.kv, clock, wall, process: crypto.randomUUID() };
    this.book = new WrittenBook(clock, (account) => this.#dropEmpty(account));
  }

  /** Returns the account of a caller. */
  of(caller: string): Account {
    const name = this.#accounts.size < mostAccounts || this.#accounts.has(caller) ? caller : everyoneElse;
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const account = new Account(name, this.#ledger && new Reservation(name, this.#ledger));
    this.#accounts.set(name, account);
    return account;
  }

  /**
   * Admits a write of so many more bytes. They count until {@link settle}.
   * @returns a promise if other processes must leave bytes to this one. It rejects like this method throws.
   * @throws StateError with reason `quota`.
   */
  admit(charge: Charge, ttl: number | undefined): Promise<void> | undefined {
    const { account, bytes } = charge;
    account.writes += 1;
    if (this.#take(charge, ttl)) return undefined;
    this.book.sweep();
    if (this.#take(charge, ttl)) return undefined;
    const { reservation } = account;
    if (reservation !== undefined && (bytes === 0 || account.used + bytes <= this.limit))
      return this.#inTurn(account, () => this.#reserve(reservation, charge, ttl)).catch((error: unknown) => {
        this.#end(account);
        throw error;
      });
    this.#end(account);
    throw this.#refusal(charge);
  }

  /** Reserves what a caller has in the state already, after it was extended. Does not reject: the next change of the account tries again. */
  async cover(account: Account): Promise<void> {
    const { reservation, used, lastExpiry } = account;
    if (reservation === undefined || used <= this.#chunk) return;
    if (used <= reservation.bytes && lastExpiry <= reservation.until) return;
    this.#reserving.add(account);
    this.#returnLater();
    const claim = () => ({ ...this.#claim(account), isHeld: true });
    const covered = this.#inTurn(account, async () => {
      await reservation.reserve(claim());
    });
    await covered.catch(() => {});
  }

  /** Ends a write. @param write - what the write has left in the state; undefined if it has changed nothing. */
  settle({ account, bytes }: Charge, write?: FinishedWrite): void {
    if (write !== undefined) this.book.set(write.key, write.written, write.ttl);
    account.used -= bytes;
    this.#end(account);
  }

  #end(account: Account): void {
    account.writes -= 1;
    this.#dropEmpty(account);
  }

  /** Uses bytes that this process may use, for so long. */
  #take({ account, bytes }: Charge, ttl: number | undefined): boolean {
    const { reservation } = account;
    if (bytes > 0 && account.used + bytes > this.#usable(account)) return false;
    const reserved = reservation?.bytes ?? 0;
    if (reserved > 0 && this.#settings.clock.now() + (ttl ?? 0) > (reservation?.until ?? 0)) return false;
    account.used += bytes;
    return true;
  }

  #usable({ reservation }: Account): number {
    if (reservation === undefined) return this.limit;
    return reservation.bytes > 0 ? reservation.bytes : this.#chunk;
  }

  get #chunk(): number {
    return Math.ceil(this.limit / chunks);
  }

  async #reserve(reservation: Reservation, charge: Charge, ttl: number | undefined): Promise<void> {
    const { account, bytes } = charge;
    const { clock } = this.#settings;
    while (!this.#take(charge, ttl)) {
      const lastExpiry = Math.max(account.lastExpiry, clock.now() + (ttl ?? 0));
      const claim = { ...this.#claim(account), bytes: account.used + bytes, lastExpiry };
      const fits = await reservation.reserve(claim);
      // What does not grow is never refused.
      if (!fits && bytes === 0) return;
      if (!fits) throw this.#refusal(charge);
      this.#reserving.add(account);
      this.#returnLater();
    }
  }

  #claim({ used: bytes, lastExpiry }: Account) {
    return { bytes, lastExpiry, chunk: this.#chunk, limit: this.limit };
  }

  /** Changes the reservation of an account, after earlier changes. */
  #inTurn(account: Account, task: () => Promise<void>): Promise<void> {
    const turn = (account.turn ?? Promise.resolve()).then(task, task);
    account.turn = turn;
    const end = () => {
      if (account.turn === turn) account.turn = undefined;
      this.#dropEmpty(account);
    };
    detach(turn.then(end, end), () => {});
    return turn;
  }

  #returnLater(): void {
    const { clock, state } = this.#settings;
    if (this.#stopReturn !== undefined || this.#reserving.size === 0 || state.status === 'closed') return;
    this.#stopReturn = clock.schedule?.(() => {
      this.#stopReturn = undefined;
      this.book.sweep();
      for (const account of this.#reserving) this.#return(account);
      this.#returnLater();
    }, returnEvery);
  }

  /** Returns bytes that other processes can use. A failure is not reported: the reservation ends with the last of its bytes. */
  #return(account: Account): void {
    const { reservation, used, turn } = account;
    if (reservation === undefined || (reservation.bytes === 0 && used <= this.#chunk))
      this.#reserving.delete(account);
    else if (used > reservation.bytes) detach(this.cover(account), () => {});
    else if (turn === undefined && (used <= this.#chunk || reservation.bytes - used >= 2 * this.#chunk))
      detach(
        this.#inTurn(account, () => reservation.giveBack(this.#claim(account))),
        () => {},
      );
  }

  #dropEmpty(account: Account): void {
    if (account.isEmpty && this.#accounts.get(account.name) === account) this.#accounts.delete(account.name);
  }

  /** Reports that calls of a caller are refused, once in a while. */
  #report(caller: string): void {
    const now = this.#settings.clock.now();
    if (now - (this.#reported.get(caller) ?? Number.NEGATIVE_INFINITY) < reportEvery) return;
    if (this.#reported.size >= mostReported) this.#reported.clear();
    this.#reported.set(caller, now);
    const text =
      `The caller ${caller.slice(0, 200)} has used up its share of the state, of ${this.limit} bytes: some of its calls are refused. ` +
      'Raise limits.stateBytesPerCaller if it needs more.';
    this.onError?.(new Error(text), 'state');
  }

  #refusal({ account, bytes }: Charge): StateError {
    this.#report(account.name);
    return new StateError(
      'quota',
      `State: nothing was written. The caller has used up its share of ${this.limit} bytes: ${account.used} are in use at this process, and ${bytes} more do not fit.`,
    );
  }
}
