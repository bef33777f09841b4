import type { JsonObject } from '@tenon/mcp-protocol';
import { type CryptoKey, decodeJwt, decodeProtectedHeader, exportSPKI, type JWTPayload } from 'jose';
import { newSigningKey, type SigningKey, signingAlg } from '../authority/signing-keys.js';
import type { TestSignature } from '../options/token-to-issue.js';

/**
 * Returns a JWT with the given signature. The header is used unchanged, so that tests can send invalid ones.
 * https://www.rfc-editor.org/rfc/rfc7515#section-7.1
 */
export async function signedJwt(
  { header, claims }: { readonly header: JsonObject; readonly claims: JsonObject },
  key: SigningKey,
  signature: TestSignature = 'right',
): Promise<string> {
  const input = `${encoded({ alg: algOf[signature], ...header })}.${encoded(claims)}`;
  return `${input}.${await signers[signature](Buffer.from(input), key)}`;
}

const algOf: Readonly<Record<TestSignature, string>> = {
  right: signingAlg,
  none: 'none',
  'hs256-public-key': 'HS256',
  'wrong-key': signingAlg,
  broken: signingAlg,
};

const signers: Readonly<Record<TestSignature, (input: Uint8Array, key: SigningKey) => Promise<string>>> = {
  right: (input, { privateKey }) => ecdsa(input, privateKey),
  none: async () => '',
  'hs256-public-key': async (input, { publicKey }) => hmac(input, await exportSPKI(publicKey)),
  'wrong-key': async (input) => ecdsa(input, (await newSigningKey()).privateKey),
  broken: async (input, { privateKey }) => {
    const signature = await ecdsa(input, privateKey);
    return (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  },
};

async function ecdsa(input: Uint8Array, key: CryptoKey): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, input);
  return Buffer.from(signature).toString('base64url');
}

async function hmac(input: Uint8Array, secret: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['sign']);
  return Buffer.from(await crypto.subtle.sign('HMAC', key, input)).toString('base64url');
}

function encoded(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The contents of a JWT before verification. */
export interface UnverifiedJwt {
  readonly claims: JWTPayload;
  readonly typ: string | undefined;
}

/** Reads a JWT without verifying it; undefined if the text is not a JWT. */
export function unverified(text: string): UnverifiedJwt | undefined {
  try {
    return { claims: decodeJwt(text), typ: decodeProtectedHeader(text).typ };
  } catch {
    return undefined;
  }
}
