import type { Principal } from '@tenon/mcp-protocol';
import { longestName, type Verified } from '../verifiers/verify.js';
import type { ResourceGuardSettings } from './resource-guard-options.js';

/**
 * Returns the caller that a token identifies.
 * @throws TypeError if the token does not identify a caller; RangeError if it has too many claims.
 */
export function principalOf(verified: Verified, settings: ResourceGuardSettings): Principal {
  const { id, clientId, expiresAt, scopes = [], claims } = verified;
  const [only, another] = settings.authorizationServers;
  const issuer = verified.issuer ?? (another === undefined ? only : undefined);
  if (!isName(id))
    throw new TypeError('verify must return an id: a string that is not empty, such as the claim "sub".');
  if (!isName(issuer))
    throw new TypeError(
      'verify must return the issuer of a token, because there is more than one authorization server.',
    );
  if (expiresAt !== undefined && !Number.isFinite(expiresAt))
    throw new TypeError('verify must return expiresAt in milliseconds since 1970.');
  if (!Array.isArray(scopes)) throw new TypeError('verify must return scopes as an array.');
  const { claimsLength } = settings.bounds;
  if (claims !== undefined && JSON.stringify(claims).length > claimsLength) {
    throw new RangeError(
      `The claims of a token have more than ${claimsLength} characters; leave some out in verify.`,
    );
  }
  return {
    id,
    issuer,
    ...(clientId !== undefined && { clientId }),
    ...(expiresAt !== undefined && { expiresAt }),
    scopes: settings.scopes.expanded(scopes),
    ...(claims !== undefined && { claims }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= longestName;
}
