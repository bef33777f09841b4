import { type Clock, optionRules, requireOptions, systemClock } from '@tenon/foundation';
import type { JsonObject } from '@tenon/mcp-protocol';
import { stateRule } from '@tenon/mcp-protocol/internal';
import { type SecretKey, secretsOf } from '@tenon/mcp-session/internal';
import type { State } from '@tenon/mcp-state';
import type { AuthStore, StoredEntry } from './auth-store.js';
import { holdLease } from './lease-lock.js';
import { SealedValues } from './sealed-values.js';

/** Options of {@link stateAuthStore}. Times in milliseconds. */
export interface StateAuthStoreOptions {
  /**
   * Keys that encrypt the values, current first: 32 bytes each, as bytes, base64 or hex. The first encrypts, all decrypt. They are not
   * stored in the state.
   */
  readonly keys: readonly SecretKey[];
  /** Time without use until tokens and registrations are deleted. Default: 90 days. Match it to your rules for how long to keep credentials. */
  readonly lifetime?: number;
  /** The clock, for tests. */
  readonly clock?: Clock;
}

/** Milliseconds for which an unfinished sign-in is stored. */
const signInLifetime = 86_400_000;

/** Milliseconds to wait for a task of another process, such as a token refresh. */
const taskWait = 60_000;

/** Milliseconds after which another process takes over from one that has ended during a task. */
const stale = 10_000;

/**
 * Returns a store in shared state, for clients that run in several processes: each can finish a sign-in that another one began, and one
 * at a time refreshes tokens. Values are encrypted (AES-256-GCM); names of entries are hashes.
 * @throws TypeError or RangeError if an option is invalid.
 */
export function stateAuthStore(state: State, options: StateAuthStoreOptions): AuthStore {
  const owner = 'stateAuthStore';
  const { positive, object } = optionRules;
  if (!stateRule.allows(state)) throw new TypeError(`${owner}: the first argument must be ${stateRule.is}.`);
  requireOptions(owner, options, {
    ...{ keys: { is: 'a list of keys', allows: Array.isArray } },
    ...{ lifetime: positive, clock: object },
  });
  return new StateAuthStore(state, options);
}

class StateAuthStore implements AuthStore {
  readonly #state: State;
  readonly #sealed: SealedValues;
  readonly #lifetime: number;
  readonly #clock: Clock;

  constructor(state: State, options: StateAuthStoreOptions) {
    const { lifetime = 7_776_000_000, clock = systemClock } = options;
    this.#state = state;
    this.#sealed = new SealedValues(secretsOf('stateAuthStore: keys', options.keys));
    this.#lifetime = lifetime;
    this.#clock = clock;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    const { kv } = this.#state;
    const name = nameOf(key);
    const isKept = !isSignIn(key) && !isPin(key);
    const [stored] = await Promise.all([kv.get(name), isKept && kv.touch(name, this.#lifetime)]);
    return stored && { value: await this.#sealed.open(key, stored.value), version: stored.version };
  }

  async swap(key: string, version: string | undefined, value: JsonObject | undefined): Promise<boolean> {
    const { kv } = this.#state;
    const name = nameOf(key);
    if (value === undefined)
      return version === undefined ? (await kv.get(name)) === undefined : kv.delete(name, version);
    const text = await this.#sealed.seal(key, value);
    const options = { expected: version, ttl: this.#ttlOf(key) };
    return (await kv.compareAndSet(name, text, options)) !== undefined;
  }

  exclusively<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { leases } = this.#state;
    const lock = { leases, name: nameOf(key), stale, wait: taskWait, clock: this.#clock, signal };
    return holdLease(lock, task);
  }

  #ttlOf(key: string): number | undefined {
    if (isPin(key)) return undefined;
    return isSignIn(key) ? signInLifetime : this.#lifetime;
  }
}

function isSignIn(key: string): boolean {
  return key.startsWith('sign-in');
}

/** True for the issuer that credentials are bound to: if it was deleted, they could be sent to another one. */
function isPin(key: string): boolean {
  return key.startsWith('issuer:');
}

function nameOf(key: string): string {
  return `auth/${key}`;
}
