import type { JWK } from 'jose';

/** What makes up a public key, by its kind. Symmetric keys are no kind of public key. */
const parts: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

const secretParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

// The modulus of an RSA key of 8,192 bits has 1,366 characters.
const longestPart = 1_400;

/** Characters of a key's name, at most. */
export const longestKeyId = 256;

/**
 * A copy of a JWK with what checking a signature takes, and nothing else; undefined for what is no public key: symmetric or
 * private ones, unknown kinds, and parts that are missing or longer than such a key can need.
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
