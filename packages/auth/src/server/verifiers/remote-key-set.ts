import type { Clock } from '@tenon/mcp-protocol';
import type { CryptoKey } from 'jose';
import { AuthError } from '../../auth-error.js';
import type { OauthAnswer, OauthHttp } from '../../http/oauth-http.js';
import { type KeyHint, type KeySet, LocalKeySet } from './key-set.js';

/** How keys are fetched and kept. Times in milliseconds. */
export interface RemoteKeySetOptions {
  readonly issuer: string;
  /** Finds out where the keys are. Asked before the first time, and again after they could not be fetched from there. */
  readonly locate: () => Promise<URL>;
  readonly http: OauthHttp;
  readonly clock: Clock;
  /** Keys are fetched anew after this; `Cache-Control` may shorten it, down to `cooldown`. */
  readonly maxAge: number;
  /** How much longer keys are used when they cannot be fetched anew. */
  readonly staleFor: number;
  /** Between two fetches because of a key that is unknown; the longest pause after fetches that failed. */
  readonly cooldown: number;
  readonly maxKeys: number;
}

interface Fetched {
  readonly keys: LocalKeySet;
  readonly text: string;
  readonly at: number;
  readonly freshFor: number;
}

/** The first pause after a fetch that failed; each further one doubles it. */
const firstPause = 1_000;

/** How long keys that can still be used are held back for others that are being fetched. */
const patience = 1_000;

/** Keys of an issuer, fetched when they are needed: one fetch at a time, and few of them whatever tokens come. */
export class RemoteKeySet implements KeySet {
  readonly #options: RemoteKeySetOptions;
  #fetched: Fetched | undefined;
  #address: URL | undefined;
  #pending: Promise<LocalKeySet> | undefined;
  #failures = 0;
  /** When the last fetch began. */
  #triedAt = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteKeySetOptions) {
    this.#options = options;
  }

  async find(hint: KeyHint): Promise<readonly CryptoKey[]> {
    const keys = await this.#current();
    const found = await keys.find(hint);
    if (found.length > 0) return found;
    // Others may have come meanwhile.
    const fetched = this.#fetched?.keys;
    if (fetched !== undefined && fetched !== keys) return this.find(hint);
    // The issuer may have a new key. Whoever comes while it is being looked for waits for the same answer.
    if (this.#pending !== undefined || this.#rested(this.#options.cooldown))
      return (await this.#fetch()).find(hint);
    if (this.#failures > 0) throw this.#unreachable();
    return found;
  }

  async #current(): Promise<LocalKeySet> {
    const kept = this.#fetched;
    if (kept !== undefined && this.#isWithin(kept, kept.freshFor)) return kept.keys;
    const usable = kept !== undefined && this.#isWithin(kept, kept.freshFor + this.#options.staleFor);
    const pause =
      this.#failures === 0 ? 0 : Math.min(this.#options.cooldown, firstPause * 2 ** (this.#failures - 1));
    if (this.#pending === undefined && !this.#rested(pause)) {
      if (usable) return kept.keys;
      throw this.#unreachable();
    }
    return usable ? this.#fetchOr(kept.keys) : this.#fetch();
  }

  /** An issuer that is slow, or away, holds nobody up for long. */
  async #fetchOr(kept: LocalKeySet): Promise<LocalKeySet> {
    const fetched = this.#fetch().catch(() => kept);
    const { clock } = this.#options;
    const left = this.#triedAt + patience - clock.now();
    if (!(left > 0)) return kept;
    let stop = () => {};
    const late = new Promise<LocalKeySet>((resolve) => {
      stop = clock.schedule(() => resolve(kept), Math.min(left, patience));
    });
    return Promise.race([fetched, late]).finally(stop);
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
    const { http, locate, clock, maxAge, cooldown, maxKeys } = this.#options;
    this.#address ??= await locate();
    const headers = { accept: 'application/jwk-set+json, application/json' };
    const answer = await http.send({ method: 'GET', url: this.#address, headers });
    if (answer.status !== 200) throw new TypeError(`It answered with status ${answer.status}.`);
    // The same document again: what was made of its keys is kept.
    const same = this.#fetched?.text === answer.text ? this.#fetched.keys : undefined;
    const keys = same ?? new LocalKeySet(JSON.parse(answer.text), maxKeys);
    const freshFor = Math.min(maxAge, Math.max(cooldown, secondsToLive(answer) * 1_000));
    this.#fetched = { keys, text: answer.text, at: clock.now(), freshFor };
    return keys;
  }

  /** Whether so many milliseconds have passed since the last fetch began; a clock that was set back says yes. */
  #rested(pause: number): boolean {
    const past = this.#options.clock.now() - this.#triedAt;
    return past >= pause || past < 0;
  }

  #isWithin({ at }: Fetched, time: number): boolean {
    const age = this.#options.clock.now() - at;
    return age >= 0 && age < time;
  }

  #unreachable(cause?: unknown): AuthError {
    const message = `The keys of ${this.#options.issuer} cannot be fetched: no token of it can be checked.`;
    return new AuthError('unreachable', message, { cause });
  }
}

/** https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2 */
function secondsToLive(answer: OauthAnswer): number {
  const directives = answer.header('cache-control')?.toLowerCase().split(',') ?? [];
  const names = directives.map((directive) => directive.trim());
  if (names.includes('no-store') || names.includes('no-cache')) return 0;
  const seconds = names
    .map((name) => /^max-age="?(\d{1,9})"?$/.exec(name)?.[1])
    .find((text) => text !== undefined);
  return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds);
}
