import { isUrl } from '@tenon/mcp-protocol/internal';
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  type JWTVerifyResult,
  jwtVerify,
} from 'jose';
import type { Authority } from '../authority/authority.js';
import { defined, OauthProblem, type Rejection, reasonOf, rejectionOf } from '../http/answer.js';
import type { TestClient, TrustedIssuer } from '../options/behaviour.js';

/** Signature algorithms for clients and other issuers: those with a public key. */
export const asymmetricAlgs: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** Milliseconds that the clocks of two programs may be apart. */
const skew = 60_000;
/** Milliseconds that a DPoP proof can be used. */
const proofLifetime = 300_000;

interface Verification extends JWTVerifyOptions {
  readonly keys: JWTVerifyGetKey;
  readonly rejected: Rejection;
}

async function verified(jwt: string, { now }: Authority, check: Verification): Promise<JWTVerifyResult> {
  const { keys, rejected, ...options } = check;
  const all = { algorithms: [...asymmetricAlgs], currentDate: new Date(now()), ...options };
  return jwtVerify(jwt, keys, all).catch((cause: unknown) => {
    throw rejected(reasonOf(cause));
  });
}

/** Returns claims that are not verified, and the type; nothing if the text is not a JWT. */
function unverified(jwt: string): JWTPayload & { readonly typ?: string } {
  try {
    return { ...decodeJwt(jwt), ...defined({ typ: decodeProtectedHeader(jwt).typ }) };
  } catch {
    return {};
  }
}

/**
 * Verifies the DPoP proof of a token request.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 * @returns the thumbprint of the key
 * @throws OauthProblem `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function keyOfProof(proof: string, authority: Authority): Promise<string> {
  const { settings, nonce, tokenEndpoint, now } = authority;
  const rejected = rejectionOf('invalid_dpop_proof', 'The DPoP proof');
  const { payload, protectedHeader } = await verified(proof, authority, {
    keys: EmbeddedJWK,
    rejected,
    typ: 'dpop+jwt',
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
  });
  if (payload.htm !== 'POST') throw rejected('its htm is not POST');
  if (!isSameAddress(payload.htu, tokenEndpoint)) throw rejected(`its htu is not ${tokenEndpoint}`);
  const age = now() - (payload.iat ?? 0) * 1_000;
  if (age < -skew || age > proofLifetime) throw rejected('its iat is not now');
  if (settings.dpopNonce && payload.nonce !== nonce)
    throw new OauthProblem('use_dpop_nonce', 'The proof must contain the nonce of the header DPoP-Nonce.');
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
  authority.requireFirstUse(`proof ${thumbprint} ${payload.jti}`, rejected);
  return thumbprint;
}

function isSameAddress(htu: unknown, address: string): boolean {
  if (typeof htu !== 'string' || !isUrl(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origin + pathname === address;
}

/**
 * Returns the client of an assertion.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws OauthProblem `invalid_client`
 */
export async function clientOfAssertion(
  assertion: string,
  clientId: string | null,
  authority: Authority,
): Promise<TestClient> {
  const rejected = rejectionOf('invalid_client', 'The client assertion');
  const { sub: claimed } = unverified(assertion);
  if (typeof claimed !== 'string') throw rejected('it is not a JWT with a sub');
  if (clientId !== null && clientId !== claimed)
    throw rejected('its sub differs from the client_id of the request');
  const client = await authority.findClient(claimed);
  if (client?.jwks === undefined)
    throw rejected(`no keys of the client ${JSON.stringify(claimed)} are known`);
  const { payload } = await verified(assertion, authority, {
    keys: createLocalJWKSet(client.jwks),
    rejected,
    issuer: claimed,
    subject: claimed,
    audience: [authority.issuer, authority.tokenEndpoint],
    requiredClaims: ['exp', 'jti'],
  });
  authority.requireFirstUse(`client ${claimed} ${payload.jti}`, rejected);
  return client;
}

/** A verified assertion of a trusted issuer. */
export interface TrustedAssertion {
  readonly kind: 'id-jag' | 'workload';
  readonly claims: JWTPayload & { readonly sub: string };
}

/**
 * Verifies an assertion sent to get a token.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws OauthProblem `invalid_grant`
 */
export async function trustedAssertion(assertion: string, authority: Authority): Promise<TrustedAssertion> {
  const rejected = assertionRejected;
  const { issuer, kind = 'id-jag', jwks } = issuerOf(assertion, authority);
  const isIdJag = kind === 'id-jag';
  const { payload } = await verified(assertion, authority, {
    keys: createLocalJWKSet(typeof jwks === 'function' ? await jwks() : jwks),
    rejected,
    issuer,
    audience: isIdJag ? authority.issuer : [authority.issuer, authority.tokenEndpoint],
    requiredClaims: isIdJag ? ['exp', 'iat', 'sub', 'jti', 'client_id', 'resource'] : ['exp', 'sub'],
  });
  const { sub, iat = 0, jti } = payload;
  if (typeof sub !== 'string') throw rejected('its sub is not a string');
  if (iat * 1_000 > authority.now() + skew) throw rejected('it was issued in the future');
  if (jti !== undefined) authority.requireFirstUse(`assertion ${issuer} ${jti}`, rejected);
  return { kind, claims: { ...payload, sub } };
}

/** The rejection of an assertion as a grant. */
export const assertionRejected: Rejection = rejectionOf('invalid_grant', 'The assertion');

function issuerOf(assertion: string, { settings }: Authority): TrustedIssuer {
  const { typ, iss } = unverified(assertion);
  const asked = typ === 'oauth-id-jag+jwt' ? 'id-jag' : 'workload';
  const known = settings.trustedIssuers.filter(({ issuer }) => issuer === iss);
  if (iss === undefined) throw assertionRejected('it is not a JWT with an iss');
  if (known.length === 0) throw assertionRejected(`the issuer ${JSON.stringify(iss)} is not trusted`);
  const fitting = known.find(({ kind = 'id-jag' }) => kind === asked);
  if (fitting !== undefined) return fitting;
  throw assertionRejected(`a JWT of the type ${JSON.stringify(typ)} is not accepted from this issuer`);
}

/** Returns the user of an ID token of this server. @throws OauthProblem `invalid_grant` */
export async function userOfIdToken(token: string, clientId: string, authority: Authority): Promise<string> {
  const { payload } = await verified(token, authority, {
    keys: createLocalJWKSet(authority.jwks),
    rejected: (reason) => new OauthProblem('invalid_grant', `subject_token is refused: ${reason}.`),
    issuer: authority.issuer,
    audience: clientId,
    typ: 'JWT',
    requiredClaims: ['exp', 'sub'],
  });
  return payload.sub ?? '';
}
