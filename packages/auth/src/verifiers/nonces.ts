import { toBase64Url } from '@tenon/foundation';
import type { State } from '@tenon/mcp-state';
import { SecretList } from '@tenon/mcp-state/internal';
import type { CryptoKey } from 'jose';

/** Options of the nonces of {@link dpopCheck}. */
export interface NonceOptions {
  /** At least 32 bytes or characters, the same in all processes of one resource. Default: random, and the same in all processes with the same `state`. */
  readonly secret?: Uint8Array | string;
}

const secretBytes = 32;
/** Milliseconds until a new nonce is used; the previous one stays valid. */
const lifetime = 300_000;
const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Nonces that limit the age of proofs. They are computed from a secret and the time, so that none is stored.
 * https://www.rfc-editor.org/rfc/rfc9449#section-8
 */
export class Nonces {
  readonly #secret: Uint8Array<ArrayBuffer> | SecretList;
  #key: Promise<CryptoKey> | undefined;
  /** The nonces of the current and the previous time window, by window number. */
  readonly #made = new Map<number, Promise<string>>();

  /**
   * @param state - the state with the secret, if it is shared and the options have none.
   * @throws RangeError if the secret is too short.
   */
  constructor({ secret }: NonceOptions, state?: State) {
    const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
    if (bytes !== undefined && bytes.length < secretBytes) {
      throw new RangeError(`dpopCheck: nonce.secret must have at least ${secretBytes} bytes.`);
    }
    this.#secret =
      bytes === undefined && state?.join !== undefined
        ? new SecretList(state, 'dpop-nonce')
        : new Uint8Array(bytes ?? crypto.getRandomValues(new Uint8Array(secretBytes)));
  }

  /** Returns the nonce for new proofs. */
  current(now: number): Promise<string> {
    return this.#of(Math.floor(now / lifetime));
  }

  /** True for the current nonce and the previous one. */
  async isTaken(nonce: string, now: number): Promise<boolean> {
    const window = Math.floor(now / lifetime);
    return nonce === (await this.#of(window)) || nonce === (await this.#of(window - 1));
  }

  #of(window: number): Promise<string> {
    const made = this.#made.get(window) ?? this.#make(window);
    this.#made.set(window, made);
    for (const other of this.#made.keys()) if (Math.abs(other - window) > 1) this.#made.delete(other);
    return made;
  }

  /** Imports the secret once. After a failure of the state, the next call reads it again. */
  #importedKey(): Promise<CryptoKey> {
    this.#key ??= this.#importKey().catch((error: unknown) => {
      this.#key = undefined;
      this.#made.clear();
      throw error;
    });
    return this.#key;
  }

  async #importKey(): Promise<CryptoKey> {
    const raw = this.#secret instanceof SecretList ? (await this.#secret.read())[0].secret : this.#secret;
    return crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
  }

  async #make(window: number): Promise<string> {
    const text = new TextEncoder().encode(`DPoP nonce ${window}`);
    return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#importedKey(), text)));
  }
}
