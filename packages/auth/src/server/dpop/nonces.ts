import type { CryptoKey } from 'jose';
import { toBase64Url } from '../../base64url.js';

/** How nonces are made. */
export interface NonceOptions {
  /** Milliseconds after which there is another; the one before is still taken. Default 300,000. */
  readonly lifetime?: number;
  /** 32 bytes or characters at least, the same in all processes that serve one resource. Default: random, for this process. */
  readonly secret?: Uint8Array | string;
}

const secretBytes = 32;

/**
 * Nonces that tell when a proof was made, without any of them being kept: each is made of a secret and the time.
 * https://www.rfc-editor.org/rfc/rfc9449#section-8
 */
export class Nonces {
  readonly #lifetime: number;
  readonly #key: Promise<CryptoKey>;
  /** Those of this window of time and the one before, by its number. */
  readonly #made = new Map<number, Promise<string>>();

  /** @throws RangeError for a secret that is too short. */
  constructor({ lifetime = 300_000, secret }: NonceOptions) {
    const bytes = typeof secret === 'string' ? new TextEncoder().encode(secret) : secret;
    if (bytes !== undefined && bytes.length < secretBytes) {
      throw new RangeError(`The secret of nonces takes ${secretBytes} bytes or more.`);
    }
    this.#lifetime = lifetime;
    const raw = new Uint8Array(bytes ?? crypto.getRandomValues(new Uint8Array(secretBytes)));
    this.#key = crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  }

  /** The nonce that proofs have to hold from now on. */
  current(now: number): Promise<string> {
    return this.#of(Math.floor(now / this.#lifetime));
  }

  /** Whether it is the nonce of now, or the one before. */
  async isTaken(nonce: string, now: number): Promise<boolean> {
    const window = Math.floor(now / this.#lifetime);
    return nonce === (await this.#of(window)) || nonce === (await this.#of(window - 1));
  }

  #of(window: number): Promise<string> {
    const made = this.#made.get(window) ?? this.#make(window);
    this.#made.set(window, made);
    for (const other of this.#made.keys()) if (Math.abs(other - window) > 1) this.#made.delete(other);
    return made;
  }

  async #make(window: number): Promise<string> {
    const text = new TextEncoder().encode(`DPoP nonce ${window}`);
    return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#key, text)));
  }
}
