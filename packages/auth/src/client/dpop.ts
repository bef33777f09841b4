import type { Clock } from '@tenon/mcp-protocol';
import { optionRules, requireOptions } from '@tenon/mcp-session';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { AuthError } from '../auth-error.js';
import { wallClock } from '../wall-clock.js';
import { digestOf } from './digest.js';
import type { DpopSigner, ProofTarget } from './dpop-signer.js';
import { randomId } from './random-id.js';

/** How keys are proved. */
export interface DpopOptions {
  /** The private key that was kept; a new one by default. */
  readonly key?: JWK | undefined;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock?: Clock | undefined;
  /** Origins whose nonces are remembered; 32 by default. */
  readonly nonces?: number | undefined;
}

/**
 * A key of the algorithm ES256, new or as it was kept, that proves its possession.
 * @throws TypeError or RangeError for options that make no sense; AuthError `storage` for a key that cannot be used.
 */
export async function dpopSigner(options: DpopOptions = {}): Promise<DpopSigner> {
  requireOptions('dpopSigner()', options, {
    key: optionRules.object,
    clock: optionRules.object,
    nonces: optionRules.positive,
  });
  const { clock = wallClock, nonces = 32 } = options;
  const key = options.key === undefined ? await newKey() : options.key;
  return new Es256Signer({ key, signing: await signingKey(key), clock, nonces });
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return exportJWK(privateKey);
}

async function signingKey(key: JWK): Promise<CryptoKey> {
  try {
    if (key.kty === 'EC' && key.crv === 'P-256' && typeof key.d === 'string') {
      const { kty, crv, x, y, d } = key as Record<string, string>;
      return (await importJWK({ kty, crv, x, y, d } as JWK, alg)) as CryptoKey;
    }
  } catch {
    // Told below, without what may repeat the key.
  }
  throw new AuthError('storage', 'The key that was kept with the tokens cannot be used: sign in again.');
}

const alg = 'ES256';

interface SignerParts {
  readonly key: JWK;
  readonly signing: CryptoKey;
  readonly clock: Clock;
  readonly nonces: number;
}

class Es256Signer implements DpopSigner {
  readonly #parts: SignerParts;
  readonly #public: JWK;
  /** By origin, the least recently told first. */
  readonly #nonces = new Map<string, string>();
  #hashed = { token: '', hash: '' };

  constructor(parts: SignerParts) {
    this.#parts = parts;
    const { kty, crv, x, y } = parts.key as Record<string, string>;
    this.#public = { kty, crv, x, y } as JWK;
  }

  // Not a member of the object itself: what prints the signer does not print the key.
  get key(): JWK {
    return this.#parts.key;
  }

  async proof({ method, url, accessToken }: ProofTarget): Promise<string> {
    const { origin, pathname } = new URL(url);
    const nonce = this.#nonces.get(origin);
    const ath = accessToken === undefined ? undefined : await this.#hashOf(accessToken);
    const claims = {
      jti: randomId(),
      htm: method,
      htu: origin + pathname,
      ...(ath !== undefined && { ath }),
      ...(nonce !== undefined && { nonce }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk: this.#public })
      .setIssuedAt(Math.floor(this.#parts.clock.now() / 1_000))
      .sign(this.#parts.signing);
  }

  nonce(origin: string, nonce: string): void {
    if (nonce.length > longestNonce || !/^[!#-[\]-~]+$/.test(nonce)) return;
    this.#nonces.delete(origin);
    this.#nonces.set(origin, nonce);
    for (const oldest of this.#nonces.keys()) {
      if (this.#nonces.size <= this.#parts.nonces) break;
      this.#nonces.delete(oldest);
    }
  }

  /** One token goes with many requests. */
  async #hashOf(token: string): Promise<string> {
    const known = this.#hashed;
    if (known.token === token) return known.hash;
    const hash = await digestOf(token);
    this.#hashed = { token, hash };
    return hash;
  }
}

/** Characters of a nonce; a longer one is not taken. */
const longestNonce = 1_024;
