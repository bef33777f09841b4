import type { Clock } from '@tenon/foundation';
import type { State } from '../state.js';
import { Accounts } from './accounts.js';
import { CountedLogs } from './counted-logs.js';
import { CountedValues } from './counted-values.js';

/** Values and logs of a state, counted for a caller. A write beyond the bound rejects with a StateError of reason `quota`. */
export type CallerState = Pick<State, 'kv' | 'log'>;

/** The settings of {@link quotaOn}. */
export interface QuotaSettings {
  /** Bytes of one caller. Default: a quarter of the bytes that the state can hold; 64 MiB if it does not know them. */
  readonly bytes?: number | undefined;
  readonly clock?: Clock | undefined;
  /** Milliseconds since 1970, for all processes. Default: `Date`. */
  readonly wall?: Pick<Clock, 'now'> | undefined;
  /** Receives a report about a caller that has used up its share, at most once a minute. Must not throw. */
  readonly onError?: ((error: unknown, where: string) => void) | undefined;
}

/** The bytes of a state that does not know them. */
const usualBytes = 256 * 1024 * 1024;

/**
 * A bound of the bytes that one caller has in a state, over all processes that share it. What is written counts until it expires, is
 * deleted or is replaced. Each caller may exceed the bound by a 64th of it for each process.
 */
export class CallerQuota {
  readonly #state: State;
  readonly #accounts: Accounts;

  constructor(state: State, { bytes, clock, wall = Date, onError }: QuotaSettings = {}) {
    this.#state = state;
    const limit = bytes ?? (state.bytes ?? usualBytes) / 4;
    this.#accounts = new Accounts(limit, { state, clock: clock ?? performance, wall });
    this.#accounts.onError = onError;
  }

  /** Returns the state, with its writes counted for a caller; the state itself for undefined. */
  of(caller: string | undefined): CallerState {
    return caller === undefined ? this.#state : this.by(() => caller);
  }

  /** Returns the state, with each write counted for the caller that a function returns for its key. */
  by(callerOf: (key: string) => string): CallerState {
    return new CountedState(this.#state, this.#accounts, callerOf);
  }

  /** Adopts settings of another server in this process. The least of several bounds holds. */
  adopt({ bytes, onError }: QuotaSettings): void {
    if (bytes !== undefined) this.#accounts.limit = Math.min(this.#accounts.limit, bytes);
    this.#accounts.onError ??= onError;
  }
}

class CountedState implements CallerState {
  readonly kv: State['kv'];
  readonly #parts: readonly [State, Accounts, (key: string) => string];
  #log: State['log'] | undefined;

  constructor(state: State, accounts: Accounts, callerOf: (key: string) => string) {
    this.kv = new CountedValues(state, accounts, callerOf);
    this.#parts = [state, accounts, callerOf];
  }

  /** Made on first use: most callers of one call need values alone. */
  get log(): State['log'] {
    this.#log ??= new CountedLogs(...this.#parts);
    return this.#log;
  }
}

const quotas = new WeakMap<State, CallerQuota>();

/** Returns the quota of a state: all that writes to the state in this process counts together. */
export function quotaOn(state: State, settings?: QuotaSettings): CallerQuota {
  const known = quotas.get(state);
  if (known !== undefined) {
    if (settings !== undefined) known.adopt(settings);
    return known;
  }
  const quota = new CallerQuota(state, settings);
  quotas.set(state, quota);
  return quota;
}
