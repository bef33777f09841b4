import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { Authority } from '../authority.js';
import { OauthProblem } from '../http/oauth-problem.js';
import { unverified } from '../tokens/unverified-jwt.js';
import type { TestClient } from './test-client.js';

/** Signature algorithms for clients and other issuers: those with a public key. */
export const asymmetricAlgs: readonly string[] = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'];

/** The value of `client_assertion_type`. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * Returns the client of an assertion after verifying it.
 * https://www.rfc-editor.org/rfc/rfc7523#section-3
 * @throws OauthProblem `invalid_client`
 */
export async function clientOfAssertion(
  assertion: string,
  clientId: string | null,
  authority: Authority,
): Promise<TestClient> {
  const claimed = unverified(assertion)?.claims.sub;
  if (typeof claimed !== 'string') throw refused('it is not a JWT with a sub');
  if (clientId !== null && clientId !== claimed)
    throw refused('its sub differs from the client_id of the request');
  const client = await authority.registry.find(claimed, authority.settings);
  if (client?.jwks === undefined) throw refused(`no keys of the client ${JSON.stringify(claimed)} are known`);
  const { issuer, endpoints, now } = authority;
  const { payload } = await jwtVerify(assertion, createLocalJWKSet(client.jwks), {
    algorithms: [...asymmetricAlgs],
    issuer: claimed,
    subject: claimed,
    audience: [issuer, endpoints.token],
    requiredClaims: ['exp', 'jti'],
    currentDate: new Date(now()),
  }).catch((cause: unknown) => {
    throw refused(cause instanceof Error ? cause.message : String(cause));
  });
  requireFirstUse(payload, claimed, authority);
  return client;
}

function requireFirstUse({ jti, exp = 0 }: JWTPayload, clientId: string, { replays }: Authority): void {
  if (typeof jti !== 'string' || !replays.take(`client ${clientId} ${jti}`, exp * 1_000))
    throw refused('it was used before');
}

function refused(reason: string): OauthProblem {
  return new OauthProblem('invalid_client', `The client assertion is rejected: ${reason}.`, { status: 401 });
}
