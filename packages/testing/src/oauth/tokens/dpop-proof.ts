import { isUrl } from '@tenon/mcp-protocol/internal';
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import type { Authority } from '../authority/authority.js';
import { asymmetricAlgs } from '../authority/signing-keys.js';
import { OauthProblem } from '../http/answer.js';

const lifetime = 300_000;
const skew = 60_000;

/**
 * Verifies the DPoP proof of a token request.
 * https://www.rfc-editor.org/rfc/rfc9449#section-4.3
 * @returns the thumbprint of the key
 * @throws OauthProblem `invalid_dpop_proof` or `use_dpop_nonce`
 */
export async function keyOfProof(proof: string, authority: Authority): Promise<string> {
  const { settings, nonce, endpoints, now, replays } = authority;
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: 'dpop+jwt',
    algorithms: [...asymmetricAlgs],
    requiredClaims: ['jti', 'htm', 'htu', 'iat'],
    currentDate: new Date(now()),
  }).catch((cause: unknown) => {
    throw refused(cause instanceof Error ? cause.message : String(cause));
  });
  if (payload.htm !== 'POST') throw refused('its htm is not POST');
  if (!isSameAddress(payload.htu, endpoints.token)) throw refused(`its htu is not ${endpoints.token}`);
  requireFresh(payload, now());
  if (settings.dpopNonce && payload.nonce !== nonce)
    throw new OauthProblem('use_dpop_nonce', 'The proof must contain the nonce of the header DPoP-Nonce.');
  const thumbprint = await calculateJwkThumbprint(protectedHeader.jwk ?? {});
  if (!replays.take(`proof ${thumbprint} ${payload.jti}`, now() + lifetime + skew))
    throw refused('it was used before');
  return thumbprint;
}

function requireFresh({ iat = 0 }: JWTPayload, now: number): void {
  const issued = iat * 1_000;
  if (issued > now + skew || issued < now - lifetime) throw refused('its iat is not now');
}

function isSameAddress(htu: unknown, address: string): boolean {
  if (typeof htu !== 'string' || !isUrl(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origin + pathname === address;
}

function refused(reason: string): OauthProblem {
  return new OauthProblem('invalid_dpop_proof', `The DPoP proof is rejected: ${reason}.`);
}
