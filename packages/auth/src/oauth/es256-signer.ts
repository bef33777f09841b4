import { BoundedMap, type Clock } from '@tenon/foundation';
import type { CryptoKey, JWK } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { importJWK } from 'jose/key/import';
import { AuthError } from '../auth-error.js';
import { digestOf, randomId } from './secrets.js';

/** The request that a proof belongs to. */
export interface ProofTarget {
  readonly method: string;
  /** The URL of the request; query and fragment are ignored. */
  readonly url: string;
  /** The access token of the request; undefined at a token endpoint. */
  readonly accessToken?: string | undefined;
}

/**
 * Creates DPoP proofs with one key, and remembers the nonce that each origin requires.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4
 */
export interface DpopSigner {
  /** The private key; stored with the tokens that are bound to it. */
  readonly key: JWK;
  /** Returns the value of the header `DPoP` for one request. */
  proof(target: ProofTarget): Promise<string>;
  /** Sets the nonce for later proofs to an origin. */
  nonce(origin: string, nonce: string): void;
}

export interface SignerSettings {
  /** The stored private key; undefined for a new one. */
  readonly key: JWK | undefined;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock: Clock;
}

/** @throws AuthError `storage` if the key cannot be used. */
export async function es256Signer({ key: kept, clock }: SignerSettings): Promise<DpopSigner> {
  const key = kept ?? (await newKey());
  return new Es256Signer({ key, signing: await signingKey(key), clock });
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
    // Thrown below instead, because this error may quote the key.
  }
  throw new AuthError('storage', 'The DPoP key in the store cannot be used: sign in again.');
}

const alg = 'ES256';

interface SignerParts extends SignerSettings {
  readonly key: JWK;
  readonly signing: CryptoKey;
}

class Es256Signer implements DpopSigner {
  readonly #parts: SignerParts;
  readonly #public: JWK;
  /** By origin. */
  readonly #nonces = new BoundedMap<string, string>(mostNonces);
  #hashed = { token: '', hash: '' };

  constructor(parts: SignerParts) {
    this.#parts = parts;
    const { kty, crv, x, y } = parts.key as Record<string, string>;
    this.#public = { kty, crv, x, y } as JWK;
  }

  // A getter of the prototype, so that printing the signer does not print the key.
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
    if (nonce.length <= longestNonce && /^[!#-[\]-~]+$/.test(nonce)) this.#nonces.set(origin, nonce);
  }

  /** Caches the hash of the last token, because many requests use the same token. */
  async #hashOf(token: string): Promise<string> {
    const known = this.#hashed;
    if (known.token === token) return known.hash;
    const hash = await digestOf(token);
    this.#hashed = { token, hash };
    return hash;
  }
}

/** Origins with a remembered nonce, at most. */
const mostNonces = 32;
/** Characters of a nonce, at most; longer ones are ignored. */
const longestNonce = 1_024;
