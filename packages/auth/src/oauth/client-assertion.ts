import { type Clock, withoutControls } from '@tenon/foundation';
import type { CryptoKey, JWK } from 'jose';
import { AuthError } from '../auth-error.js';
import type { ClientInformation, ClientKey } from './client-information.js';
import { randomId } from './secrets.js';

/** The client that signs an assertion, and the endpoint that reads it. */
export interface AssertionTarget {
  readonly issuer: string;
  readonly endpoint: URL;
  /** Signature algorithms that the endpoint accepts; undefined if its metadata does not list them. */
  readonly algs?: readonly string[] | undefined;
  readonly client: ClientInformation;
  /** Its `now()` is milliseconds since 1970. */
  readonly clock: Clock;
}

/** Seconds until an assertion expires. */
const lifetime = 60;

/**
 * Returns the assertion that authenticates a client in one request.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws AuthError `unsupported` if client and endpoint have no algorithm in common, or the key cannot be used.
 */
export async function clientAssertion(target: AssertionTarget): Promise<string> {
  const { client, clock, issuer, endpoint } = target;
  if (client.key === undefined) throw new AuthError('unsupported', 'This client has no key to sign with.');
  const alg = signingAlgorithm(client.key, target);
  const { kid = isJwk(client.key.key) ? client.key.key.kid : undefined, typ = assertionType } = client.key;
  const now = Math.floor(clock.now() / 1_000);
  const { SignJWT } = await import('jose/jwt/sign');
  const assertion = new SignJWT({ jti: randomId() })
    .setProtectedHeader({ alg, typ, ...(kid !== undefined && { kid }) })
    .setIssuer(client.clientId)
    .setSubject(client.clientId)
    // The issuer as the only audience. With the URL of an endpoint, a malicious server could name the endpoint of another
    // server as its own. https://datatracker.ietf.org/doc/html/draft-ietf-oauth-rfc7523bis
    .setAudience(client.key.audience === 'token-endpoint' ? endpoint.href : issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime);
  // The error is dropped, because it may quote the key.
  const signed = await signingKey(client.key, alg)
    .then((key) => assertion.sign(key))
    .catch(() => undefined);
  if (signed !== undefined) return signed;
  throw new AuthError('unsupported', `The client's key cannot be used to sign with ${alg}.`);
}

const assertionType = 'client-authentication+jwt';

/**
 * Rejects a key that cannot sign assertions.
 * @throws TypeError that says what to pass instead, without any part of the key.
 */
export function requireClientKey(owner: string, key: ClientKey): void {
  if (typeof key !== 'object' || key === null || key.key === undefined) {
    throw new TypeError(
      `${owner}: key must be { key, alg }, where key is PKCS #8 PEM, a JWK or a CryptoKey.`,
    );
  }
  if (algorithmsOf(key).length > 0) return;
  throw new TypeError(
    typeof key.key === 'string' && key.alg === undefined
      ? `${owner}: a key in PEM needs its alg, such as { key, alg: 'ES256' }.`
      : `${owner}: the key cannot sign with ${key.alg ?? 'any algorithm'}. Pass a private key for one of ${[...asymmetric].join(', ')}.`,
  );
}

/** Algorithms with a private key; shared secrets and `none` are not accepted. */
const asymmetric: ReadonlySet<string> = new Set(
  'ES256 ES384 ES512 Ed25519 EdDSA RS256 RS384 RS512 PS256 PS384 PS512'.split(' '),
);
/** In the order of preference: RS256 first, because every server with RSA supports it. */
const rsa = ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'];
const byCurve: ReadonlyMap<string, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA', 'Ed25519']],
]);

function signingAlgorithm(key: ClientKey, { endpoint, algs }: AssertionTarget): string {
  const own = algorithmsOf(key);
  const alg = algs === undefined ? own[0] : own.find((name) => algs.includes(name));
  if (alg !== undefined) return alg;
  throw new AuthError(
    'unsupported',
    own.length === 0
      ? "The client's key cannot sign assertions."
      : `${endpoint.origin} accepts assertions signed with ${displayNames(algs ?? [])}, and the client's key signs with ${own.join(', ')}.`,
  );
}

/** Returns the names that a peer sent, bounded and without control characters, for messages. */
export function displayNames(names: readonly string[]): string {
  const shown = names.slice(0, 16).map((name) => withoutControls(name.slice(0, 64)));
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}

/** Returns the algorithms that a key can sign with. */
function algorithmsOf({ key, alg }: ClientKey): readonly string[] {
  const fitting = typeof key === 'string' ? [...asymmetric] : algorithmsByKey(key);
  const only = alg ?? (isJwk(key) ? key.alg : undefined);
  if (only !== undefined) return fitting.filter((name) => name === only);
  return typeof key === 'string' ? [] : fitting;
}

function algorithmsByKey(key: JWK | CryptoKey): readonly string[] {
  if (isJwk(key)) {
    if (typeof key.d !== 'string') return [];
    return key.kty === 'RSA' ? rsa : (byCurve.get(key.crv ?? '') ?? []);
  }
  if (key.type !== 'private') return [];
  const { name, namedCurve, hash } = key.algorithm as {
    name: string;
    namedCurve?: string;
    hash?: { name: string };
  };
  const size = hash?.name.replace('SHA-', '') ?? '';
  if (name === 'RSASSA-PKCS1-v1_5') return [`RS${size}`];
  if (name === 'RSA-PSS') return [`PS${size}`];
  return byCurve.get(namedCurve ?? name) ?? [];
}

async function signingKey({ key }: ClientKey, alg: string): Promise<CryptoKey | Uint8Array> {
  const { importJWK, importPKCS8 } = await import('jose/key/import');
  if (typeof key === 'string') return importPKCS8(key, alg);
  return isJwk(key) ? importJWK(key, alg) : key;
}

function isJwk(key: ClientKey['key']): key is JWK {
  return typeof key === 'object' && 'kty' in key;
}
