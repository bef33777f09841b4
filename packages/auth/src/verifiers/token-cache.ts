import { BoundedMap, type Clock } from '@tenon/foundation';
import { digestOf } from '../oauth/secrets.js';

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Caches results for tokens by their hashes, so that the cache contains no tokens. */
export class TokenCache<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries: BoundedMap<string, Entry<T>>;

  /** @param limit - entries, at most; the oldest is dropped first. */
  constructor(clock: Pick<Clock, 'now'>, limit = 10_000) {
    this.#clock = clock;
    this.#entries = new BoundedMap(limit);
  }

  get(hash: string): T | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || this.#clock.now() < entry.until) return entry?.value;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Keeps a value until the given time, in milliseconds since 1970. */
  keep(hash: string, value: T, until: number): void {
    this.#entries.set(hash, { value, until });
  }
}

/**
 * Returns the SHA-256 hash of a token in base64url; synchronous if the runtime can do it, as Node can.
 */
export function tokenHash(token: string): string | Promise<string> {
  // Looked up at run time, so that bundles for other runtimes need no Node module.
  const native = globalThis.process?.getBuiltinModule?.('node:crypto');
  return native?.hash?.('sha256', token, 'base64url') ?? digestOf(token);
}
