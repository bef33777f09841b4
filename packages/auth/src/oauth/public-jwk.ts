import { isRecord } from '@tenon/foundation';
import type { JWK } from 'jose';

/** The members of a public key, by key type. Symmetric keys are not public. */
const parts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

const secretParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

// The modulus of an RSA key of 8,192 bits has 1,366 characters.
const longestPart = 1_400;

/** Characters of a key id, at most. */
export const longestKeyId = 256;

/**
 * Returns a copy of a JWK with only the members that verify a signature. Returns undefined if the value is not a public key:
 * symmetric or private keys, unknown key types, and members that are missing or too long.
 * https://www.rfc-editor.org/rfc/rfc7517#section-4
 */
export function publicJwk(value: unknown): JWK | undefined {
  if (!isRecord(value)) return undefined;
  const { kty, kid, alg, use, key_ops: operations } = value;
  const names = parts.get(kty);
  if (names === undefined || secretParts.some((name) => Object.hasOwn(value, name))) return undefined;
  if (!names.every((name) => isText(value[name], longestPart))) return undefined;
  if (![kid, alg, use].every((text) => text === undefined || isText(text, longestKeyId))) return undefined;
  if (operations !== undefined && !isOperations(operations)) return undefined;
  const kept: Record<string, unknown> = { kty, kid, alg, use, key_ops: operations };
  for (const name of names) kept[name] = value[name];
  return Object.fromEntries(Object.entries(kept).filter(([, part]) => part !== undefined));
}

function isOperations(value: unknown): boolean {
  return Array.isArray(value) && value.length <= 16 && value.every((name) => isText(name, longestKeyId));
}

function isText(value: unknown, longest: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= longest;
}
