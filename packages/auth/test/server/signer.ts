import type { JsonObject } from '@tenon/mcp-protocol';
import type { CryptoKey, JWK } from 'jose';
import { CompactSign, exportJWK, generateKeyPair } from 'jose';

/** A key pair that signs tokens. */
export interface Signer {
  readonly alg: string;
  readonly privateKey: CryptoKey;
  /** The public key, with its kid and use. */
  readonly jwk: JWK;
  /** Signs claims with a header that has `alg` and `kid`; an undefined member is removed. */
  sign(claims: JsonObject, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function createSigner(kid = 'key-1', alg = 'ES256'): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return {
    alg,
    privateKey,
    jwk,
    sign: (claims, header = {}) => signWith(privateKey, claims, { alg, kid, typ: 'at+jwt', ...header }),
  };
}

export function signWith(
  key: CryptoKey | Uint8Array,
  claims: JsonObject,
  header: Readonly<Record<string, unknown>>,
): Promise<string> {
  const present = Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined));
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(present as { alg: string })
    .sign(key);
}

/** Returns a token with any signature, made of its parts. */
export function forged(header: unknown, claims: unknown, signature = ''): string {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encoded(header)}.${encoded(claims)}.${signature}`;
}
