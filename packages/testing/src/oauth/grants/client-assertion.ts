import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import type { Authority } from '../authority/authority.js';
import { asymmetricAlgs } from '../authority/signing-keys.js';
import { OauthProblem } from '../http/answer.js';
import type { TestClient } from '../options/behaviour.js';
import { unverified } from '../tokens/jws.js';

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
