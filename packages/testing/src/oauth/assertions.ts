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
import type { Authority } from './authority.js';
import type { TestClient, TrustedIssuer } from './behaviour.js';
import { check, defined, rejectAs } from './messages.js';

/** Signature algorithms for clients and other issuers: those with a public key. */
export const asymmetricAlgs: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** Milliseconds that the clocks of two programs may be apart. */
const skew = 60_000;
/** Milliseconds that a DPoP proof can be used. */
const proofLifetime = 300_000;

interface Verification extends JWTVerifyOptions {
  readonly keys: JWTVerifyGetKey;
  /** The OAuth error of an invalid JWT. */
  readonly error: string;
}

async function verified(jwt: string, authority: Authority, how: Verification): Promise<JWTVerifyResult> {
  const { keys, error, ...options } = how;
  const all = { algorithms: [...asymmetricAlgs], currentDate: new Date(authority.now()), ...options };
  return jwtVerify(jwt, keys, all).catch(rejectAs(error, 'The JWT is rejected'));
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
  const { settings, nonce, tokenEndpoint } = authority;
  const error = 'invalid_dpop_proof';
  const { payload, protectedHeader } = await verified(proof, authority, {
    keys: EmbeddedJWK,
    error,
    typ: 'dpop+jwt',
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
  });
  const { htm, htu, iat = 0, jti } = payload;
  check(htm === 'POST', error, 'htm in the DPoP proof is not POST.');
  const isHere = String(htu).replace(/[?#].*$/, '') === tokenEndpoint;
  check(isHere, error, `htu in the DPoP proof is not ${tokenEndpoint}.`);
  const age = authority.now() - iat * 1_000;
  check(
    age >= -skew && age <= proofLifetime,
    error,
    'The DPoP proof is too old or too new: its iat is not now.',
  );
  const isFresh = !settings.dpopNonce || payload.nonce === nonce;
  check(isFresh, 'use_dpop_nonce', 'The proof must contain the nonce of the header DPoP-Nonce.');
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
  check(authority.use(`proof ${thumbprint} ${jti}`), error, 'The DPoP proof was used before.');
  return thumbprint;
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
  const error = 'invalid_client';
  const { sub = '' } = unverified(assertion);
  check(sub, error, 'The client assertion is not a JWT with a sub.');
  const isSame = clientId === null || clientId === sub;
  check(isSame, error, 'sub in the client assertion differs from the client_id of the request.');
  const client = await authority.findClient(sub);
  check(client?.jwks, error, `There are no keys of the client ${JSON.stringify(sub)}.`);
  const { payload } = await verified(assertion, authority, {
    keys: createLocalJWKSet(client.jwks),
    error,
    issuer: sub,
    subject: sub,
    audience: [authority.issuer, authority.tokenEndpoint],
    requiredClaims: ['exp', 'jti'],
  });
  check(authority.use(`client ${sub} ${payload.jti}`), error, 'The client assertion was used before.');
  return client;
}

/**
 * Verifies an assertion of a trusted issuer, sent to get a token.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws OauthProblem `invalid_grant`
 */
export async function trustedAssertion(
  assertion: string,
  authority: Authority,
): Promise<{ readonly isIdJag: boolean; readonly subject: string; readonly claims: JWTPayload }> {
  const error = 'invalid_grant';
  const { issuer, kind = 'id-jag', jwks } = issuerOf(assertion, authority);
  const isIdJag = kind === 'id-jag';
  const { payload } = await verified(assertion, authority, {
    keys: createLocalJWKSet(typeof jwks === 'function' ? await jwks() : jwks),
    error,
    issuer,
    audience: isIdJag ? authority.issuer : [authority.issuer, authority.tokenEndpoint],
    requiredClaims: isIdJag ? ['exp', 'iat', 'sub', 'jti', 'client_id', 'resource'] : ['exp', 'sub'],
  });
  const { sub, iat = 0, jti } = payload;
  check(typeof sub === 'string', error, 'sub in the assertion is not a string.');
  check(iat * 1_000 <= authority.now() + skew, error, 'The assertion was issued in the future.');
  const isNew = jti === undefined || authority.use(`assertion ${issuer} ${jti}`);
  check(isNew, error, 'The assertion was used before.');
  return { isIdJag, subject: sub, claims: payload };
}

function issuerOf(assertion: string, { settings }: Authority): TrustedIssuer {
  const { typ, iss } = unverified(assertion);
  const asked = typ === 'oauth-id-jag+jwt' ? 'id-jag' : 'workload';
  const found = settings.trustedIssuers.find(
    ({ issuer, kind = 'id-jag' }) => issuer === iss && kind === asked,
  );
  const shown = `the issuer ${JSON.stringify(iss)} and type ${JSON.stringify(typ)}`;
  check(found, 'invalid_grant', `No assertion of ${shown} is accepted.`);
  return found;
}

/** Returns the user of an ID token of this server. @throws OauthProblem `invalid_grant` */
export async function userOfIdToken(token: string, clientId: string, authority: Authority): Promise<string> {
  const { payload } = await verified(token, authority, {
    keys: createLocalJWKSet(authority.jwks),
    error: 'invalid_grant',
    issuer: authority.issuer,
    audience: clientId,
    typ: 'JWT',
    requiredClaims: ['exp', 'sub'],
  });
  return payload.sub ?? '';
}
