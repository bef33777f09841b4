import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
} from 'jose';

/** A key that signs tokens. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public key as published. */
  readonly jwk: JWK;
}

/** The algorithm of all signatures. */
export const signingAlg = 'ES256';

/** Signature algorithms for clients and other issuers: those with a public key. */
export const asymmetricAlgs: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** The keys of a server: the newest one signs, earlier ones may stay published. */
export class SigningKeys {
  #keys: readonly [SigningKey, ...SigningKey[]];

  private constructor(key: SigningKey) {
    this.#keys = [key];
  }

  static async create(): Promise<SigningKeys> {
    return new SigningKeys(await newSigningKey());
  }

  get current(): SigningKey {
    return this.#keys[0];
  }

  get jwks(): JSONWebKeySet {
    return { keys: this.#keys.map(({ jwk }) => jwk) };
  }

  /** Signs with a new key from now on. `keep` is the number of earlier keys that stay published. */
  async rotate(keep: number): Promise<void> {
    const key = await newSigningKey();
    this.#keys = [key, ...this.#keys.slice(0, keep)];
  }
}

/** Creates a key; its id is its thumbprint. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlg, { extractable: true });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, privateKey, publicKey, jwk: { ...bare, kid, alg: signingAlg, use: 'sig' } };
}
