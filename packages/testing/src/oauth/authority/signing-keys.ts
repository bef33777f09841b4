import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';

/** A key that signs tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The public key as published. */
  readonly jwk: JWK;
}

/** The algorithm of all signatures. */
export const signingAlg = 'ES256';

/** Creates a key; its id is its thumbprint. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bare = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(bare);
  return { privateKey, publicKey, jwk: { ...bare, kid, alg: signingAlg, use: 'sig' } };
}
