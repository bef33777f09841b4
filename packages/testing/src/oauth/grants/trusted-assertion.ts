import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { Authority } from '../authority/authority.js';
import { asymmetricAlgs } from '../authority/signing-keys.js';
import { OauthProblem } from '../http/answer.js';
import type { TrustedIssuer } from '../options/behaviour.js';
import { unverified } from '../tokens/jws.js';

/** A verified assertion of a trusted issuer. */
export interface TrustedAssertion {
  readonly kind: 'id-jag' | 'workload';
  readonly claims: JWTPayload & { readonly sub: string };
}

const idJagTyp = 'oauth-id-jag+jwt';
// Allows for the difference between the clocks of two servers.
const skewSeconds = 60;

/**
 * Verifies an assertion sent to get a token.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws OauthProblem `invalid_grant`
 */
export async function trustedAssertion(assertion: string, authority: Authority): Promise<TrustedAssertion> {
  const { issuer, kind = 'id-jag', jwks } = trustedIssuer(assertion, authority);
  const isIdJag = kind === 'id-jag';
  const keys = createLocalJWKSet(typeof jwks === 'function' ? await jwks() : jwks);
  const { payload } = await jwtVerify(assertion, keys, {
    algorithms: [...asymmetricAlgs],
    issuer,
    audience: isIdJag ? authority.issuer : [authority.issuer, authority.endpoints.token],
    requiredClaims: isIdJag ? ['exp', 'iat', 'sub', 'jti', 'client_id', 'resource'] : ['exp', 'sub'],
    currentDate: new Date(authority.now()),
  }).catch((cause: unknown) => {
    throw refused(cause instanceof Error ? cause.message : String(cause));
  });
  const { sub, iat, jti, exp = 0 } = payload;
  if (typeof sub !== 'string') throw refused('its sub is not a string');
  if (iat !== undefined && iat > authority.now() / 1_000 + skewSeconds)
    throw refused('it was issued in the future');
  if (jti !== undefined && !authority.replays.take(`assertion ${issuer} ${jti}`, exp * 1_000))
    throw refused('it was used before');
  return { kind, claims: { ...payload, sub } };
}

function trustedIssuer(assertion: string, { settings }: Authority): TrustedIssuer {
  const read = unverified(assertion);
  if (read === undefined) throw refused('it is not a JWT');
  const { typ } = read;
  const { iss } = read.claims;
  const kind = typ === idJagTyp ? 'id-jag' : 'workload';
  const known = settings.trustedIssuers.filter(({ issuer }) => issuer === iss);
  if (known.length === 0) throw refused(`the issuer ${JSON.stringify(iss)} is not trusted`);
  const fitting = known.find((issuer) => (issuer.kind ?? 'id-jag') === kind);
  if (fitting === undefined)
    throw refused(`a JWT of the type ${JSON.stringify(typ)} is not accepted from this issuer`);
  return fitting;
}

function refused(reason: string): OauthProblem {
  return new OauthProblem('invalid_grant', `The assertion is rejected: ${reason}.`);
}
