import { type Clock, withinTime } from '@tenon/foundation';
import type { CryptoKey } from 'jose';
import { AuthError } from '../auth-error.js';
import type { OauthHttp, OauthResponse } from '../http/oauth-http.js';
import { type KeyHint, type KeySet, LocalKeySet } from './key-set.js';

/** Options of {@link RemoteKeySet}. Times in milliseconds. */
export interface RemoteKeySetOptions {
  readonly issuer: string;
  /** Returns the URL of the keys. Called before the first fetch, and after a failed one. */
  readonly locate: () => Promise<URL>;
  readonly http: OauthHttp;
  readonly clock: Clock;
  /** Time after which keys are fetched again; `Cache-Control` may shorten it. */
  readonly maxAge: number;
}

interface Fetched {
  readonly keys: LocalKeySet;
  readonly text: string;
  readonly at: number;
  readonly freshFor: number;
}

/** The pause after the first failed fetch; doubled with each further one. */
const firstPause = 1_000;

/** Milliseconds that a caller waits for new keys while the old ones are still usable. */
const longestWait = 1_000;

/** Milliseconds that keys stay usable after `maxAge` if they cannot be fetched. */
const staleFor = 3_600_000;

/** Milliseconds between two fetches because of an unknown key; the shortest life of keys, and the longest pause after failed fetches. */
const cooldown = 30_000;

/** The keys of an issuer, fetched when needed. One fetch at a time; unknown keys in tokens cannot cause many fetches. */
export class RemoteKeySet implements KeySet {
  readonly #options: RemoteKeySetOptions;
  #fetched: Fetched | undefined;
  #address: URL | undefined;
  #pending: Promise<LocalKeySet> | undefined;
  #failures = 0;
  /** The time at which the last fetch started. */
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteKeySetOptions) {
    this.#options = options;
  }

  async find(hint: KeyHint): Promise<readonly CryptoKey[]> {
    const keys = await this.#current();
    const found = await keys.find(hint);
    if (found.length > 0) return found;
    // Another call may have fetched new keys in between.
    const fetched = this.#fetched?.keys;
    if (fetched !== undefined && fetched !== keys) return this.find(hint);
    // The issuer may have a new key. Calls during this fetch share its result.
    if (this.#pending !== undefined || this.#rested(cooldown)) return (await this.#fetch()).find(hint);
    if (this.#failures > 0) throw this.#unreachable();
    return found;
  }

  async #current(): Promise<LocalKeySet> {
    const kept = this.#fetched;
    if (kept !== undefined && this.#isWithin(kept, kept.freshFor)) return kept.keys;
    const usable = kept !== undefined && this.#isWithin(kept, kept.freshFor + staleFor);
    const pause = this.#failures === 0 ? 0 : Math.min(cooldown, firstPause * 2 ** (this.#failures - 1));
    if (this.#pending === undefined && !this.#rested(pause)) {
      if (usable) return kept.keys;
      throw this.#unreachable();
    }
    return usable ? this.#fetchOr(kept.keys) : this.#fetch();
  }

  /** Returns the old keys if the issuer answers slowly, or not at all. */
  async #fetchOr(kept: LocalKeySet): Promise<LocalKeySet> {
    const fetched = this.#fetch().catch(() => kept);
    const { clock } = this.#options;
    const left = this.#triedAt + longestWait - clock.now();
    if (!(left > 0)) return kept;
    return withinTime(fetched, { clock, ms: Math.min(left, longestWait) }, () => kept);
  }

  #fetch(): Promise<LocalKeySet> {
    if (this.#pending !== undefined) return this.#pending;
    this.#triedAt = this.#options.clock.now();
    const pending = this.#fetchNow().then(
      (keys) => {
        this.#failures = 0;
        return keys;
      },
      (error: unknown) => {
        this.#failures += 1;
        this.#address = undefined;
        throw this.#unreachable(error);
      },
    );
    this.#pending = pending.finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #fetchNow(): Promise<LocalKeySet> {
    const { http, locate, clock, maxAge } = this.#options;
    this.#address ??= await locate();
    const headers = { accept: 'application/jwk-set+json, application/json' };
    const answer = await http.send({ method: 'GET', url: this.#address, headers });
    if (answer.status !== 200) throw new TypeError(`The key server answered with status ${answer.status}.`);
    // For an unchanged document, the parsed keys are used again.
    const same = this.#fetched?.text === answer.text ? this.#fetched.keys : undefined;
    const keys = same ?? new LocalKeySet(JSON.parse(answer.text));
    const freshFor = Math.min(maxAge, Math.max(cooldown, secondsToLive(answer) * 1_000));
    this.#fetched = { keys, text: answer.text, at: clock.now(), freshFor };
    return keys;
  }

  /** True if this time has passed since the last fetch started; also true if the clock was set back. */
  #rested(pause: number): boolean {
    const past = this.#options.clock.now() - this.#triedAt;
    return past >= pause || past < 0;
  }

  #isWithin({ at }: Fetched, time: number): boolean {
    const age = this.#options.clock.now() - at;
    return age >= 0 && age < time;
  }

  #unreachable(cause?: unknown): AuthError {
    const message = `The keys of ${this.#options.issuer} cannot be fetched, so its tokens cannot be checked.`;
    return new AuthError('unreachable', message, { cause });
  }
}

/** https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2 */
function secondsToLive(answer: OauthResponse): number {
  const directives = answer.header('cache-control')?.toLowerCase().split(',') ?? [];
  const names = directives.map((directive) => directive.trim());
  if (names.includes('no-store') || names.includes('no-cache')) return 0;
  const seconds = names
    .map((name) => /^max-age="?(\d{1,9})"?$/.exec(name)?.[1])
    .find((text) => text !== undefined);
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds);
}
