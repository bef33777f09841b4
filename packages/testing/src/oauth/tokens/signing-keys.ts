import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
} from 'jose';

/** A key that tokens are signed with. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  /** The public key as it is served. */
  readonly jwk: JWK;
}

/** The algorithm of every token that is signed. */
export const signingAlg = 'ES256';

/** The keys of a server: the newest one signs, those before it may still be served. */
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

  /** Signs with a new key from now on, and serves so many of the earlier ones still. */
  async rotate(keep: number): Promise<void> {
    const key = await newSigningKey();
    this.#keys = [key, ...this.#keys.slice(0, keep)];
  }
}

/** A key of its own, named by its thumbprint. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(signingAlg, { extractable: true });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  return { kid, privateKey, publicKey, jwk: { ...bare, kid, alg: signingAlg, use: 'sig' } };
}
