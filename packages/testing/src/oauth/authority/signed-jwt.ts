import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { JsonObject } from '@tenon/mcp-protocol';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { TestSignature } from '../options/token-to-issue.js';

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

const otherAlgs: Partial<Readonly<Record<TestSignature, string>>> = {
  none: 'none',
  'hs256-public-key': 'HS256',
};

type Signer = (input: Buffer, key: SigningKey) => Buffer | Promise<Buffer>;

const signers: Readonly<Record<TestSignature, Signer>> = {
  right: ecdsa,
  none: () => Buffer.alloc(0),
  'hs256-public-key': (input, { publicKey }) => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    return createHmac('sha256', String(pem).trim()).update(input).digest();
  },
  'wrong-key': async (input) => ecdsa(input, await newSigningKey()),
  broken: (input, key) => ecdsa(input, key).reverse(),
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
  const alg = otherAlgs[signature] ?? signingAlg;
  const input = `${encoded({ alg, ...header })}.${encoded(claims)}`;
  const signed = await signers[signature](Buffer.from(input), key);
  return `${input}.${signed.toString('base64url')}`;
}

function ecdsa(input: Buffer, { privateKey }: SigningKey): Buffer {
  return sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
