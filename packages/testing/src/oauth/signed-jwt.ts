import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '@tenon/mcp-protocol';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { TestSignature } from './test-authorization-server.js';

/** A key that signs tokens. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  /** The public key as published. */
  readonly jwk: JWK;
}

/** The algorithm of valid signatures. */
export const signingAlg = 'ES256';

/** Creates a key; its id is its thumbprint. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bare = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(bare);
  return { privateKey, jwk: { ...bare, kid, alg: signingAlg, use: 'sig' } };
}

interface Signer {
  readonly alg: string;
  readonly sign: (input: Buffer, key: SigningKey) => Buffer | Promise<Buffer>;
}

const signers: Readonly<Record<TestSignature, Signer>> = {
  right: { alg: signingAlg, sign: ecdsa },
  none: { alg: 'none', sign: () => Buffer.alloc(0) },
  'hs256-public-key': {
    alg: 'HS256',
    sign: (input, { privateKey }) => {
      const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
      return createHmac('sha256', String(pem).trim()).update(input).digest();
    },
  },
  'wrong-key': { alg: signingAlg, sign: async (input) => ecdsa(input, await newSigningKey()) },
  broken: { alg: signingAlg, sign: (input, key) => ecdsa(input, key).reverse() },
};

/**
 * Returns a JWT with the given signature. The header is used unchanged, so that tests can send invalid ones, which jose does not
 * sign.
 * https://www.rfc-editor.org/rfc/rfc7515#section-7.1
 */
export async function signedJwt(
  { header, claims }: { readonly header: JsonObject; readonly claims: JsonObject },
  key: SigningKey,
  signature: TestSignature = 'right',
): Promise<string> {
  const { alg, sign } = signers[signature];
  const input = `${encoded({ alg, ...header })}.${encoded(claims)}`;
  return `${input}.${(await sign(Buffer.from(input), key)).toString('base64url')}`;
}

function ecdsa(input: Buffer, { privateKey }: SigningKey): Buffer {
  return sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
