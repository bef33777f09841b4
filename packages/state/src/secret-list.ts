import { fromBase64Url, jsonIn, toBase64Url } from '@tenon/foundation';
import { change } from './change/change.js';
import type { State } from './state.js';

/** A secret of 32 random bytes. */
export interface ListedSecret {
  readonly secret: Uint8Array<ArrayBuffer>;
  /** The time at which it was added, in milliseconds since 1970. */
  readonly added: number;
}

/** Secrets, newest first. */
export type Secrets = readonly [ListedSecret, ...ListedSecret[]];

const secretBytes = 32;
/** Secrets in a list, at most: the oldest is dropped. */
const mostSecrets = 32;

/** Secrets that all processes with the same state have in common, newest first. The first process that reads the list creates it. */
export class SecretList {
  readonly #state: State;
  readonly #key: string;
  readonly #now: () => number;

  /** @param name - one segment of a key, such as `request-state`. */
  constructor(state: State, name: string, now: () => number = Date.now) {
    this.#state = state;
    this.#key = `keys/${name}`;
    this.#now = now;
  }

  /**
   * Returns the secrets, at least one.
   * @throws StateError if the state cannot be reached; Error if another program wrote something else under the key.
   */
  read(): Promise<Secrets> {
    return this.#change((secrets) => secrets ?? [this.#fresh()]);
  }

  /**
   * Adds a new first secret, and drops the secrets that were replaced so many milliseconds ago.
   * @throws like {@link read}.
   */
  rotate(keptFor: number): Promise<Secrets> {
    return this.#change((secrets) => {
      const fresh = this.#fresh();
      const isKept = (_: ListedSecret, index: number) =>
        (secrets?.[index - 1]?.added ?? fresh.added) + keptFor > fresh.added;
      const kept = secrets?.filter(isKept) ?? [];
      return [fresh, ...kept.slice(0, mostSecrets - 1)];
    });
  }

  async #change(next: (secrets: Secrets | undefined) => Secrets): Promise<Secrets> {
    const { kv } = this.#state;
    const read = (text: string) => this.#parse(text);
    return (await change<Secrets>({ kv, key: this.#key, read, write: textOf }, next)) as Secrets;
  }

  #fresh(): ListedSecret {
    return { secret: crypto.getRandomValues(new Uint8Array(secretBytes)), added: this.#now() };
  }

  #parse(text: string): Secrets {
    const list = jsonIn(text);
    const secrets = Array.isArray(list) ? list.map(asSecret) : [];
    const [newest, ...older] = secrets.filter((one) => one !== undefined);
    if (newest !== undefined && older.length + 1 === secrets.length) return [newest, ...older];
    // The value may contain secrets, so the error does not show it.
    throw new Error(`State: "${this.#key}" does not contain a list of secrets. Delete it to get a new one.`);
  }
}

function textOf(secrets: Secrets): string {
  return JSON.stringify(secrets.map(({ secret, added }) => [toBase64Url(secret), added]));
}

function asSecret(entry: unknown): ListedSecret | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [encoded, added]: unknown[] = entry;
  if (typeof encoded !== 'string' || typeof added !== 'number') return undefined;
  const secret = fromBase64Url(encoded);
  return secret?.length === secretBytes ? { secret, added } : undefined;
}
