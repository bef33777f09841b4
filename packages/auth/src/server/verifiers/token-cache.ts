import type { Clock } from '@tenon/mcp-protocol';

interface Entry<T> {
  readonly value: T;
  readonly until: number;
}

/** Remembers for a while what is known of tokens, by their hash: nothing in it is of use to who reads it. */
export class TokenCache<T> {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limit: number;
  /** In the order in which they were kept. */
  readonly #entries = new Map<string, Entry<T>>();

  /** @param limit - entries, at most: past it the oldest is forgotten. */
  constructor(clock: Pick<Clock, 'now'>, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get(hash: string): T | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || this.#clock.now() < entry.until) return entry?.value;
    this.#entries.delete(hash);
    return undefined;
  }

  /** Keeps a value until then, in milliseconds since 1970. */
  keep(hash: string, value: T, until: number): void {
    this.#entries.delete(hash);
    this.#entries.set(hash, { value, until });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }
}
