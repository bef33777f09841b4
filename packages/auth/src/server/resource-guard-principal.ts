import type { Principal } from '@tenon/mcp-protocol';
import type { ProtectSettings } from './protect-options.js';
import type { Verified } from './verify.js';

/** Characters of an id, and of an issuer. */
export const longestName = 1_024;

/**
 * The caller, by what his token says.
 * @throws TypeError for what does not tell one caller from another; RangeError for more claims than are kept.
 */
export function principalOf(verified: Verified, settings: ProtectSettings): Principal {
  const { id, clientId, expiresAt, scopes = [], claims } = verified;
  const [only, another] = settings.authorizationServers;
  const issuer = verified.issuer ?? (another === undefined ? only : undefined);
  if (!isName(id))
    throw new TypeError('verify must give an id: a text that is not empty, such as the claim "sub".');
  if (!isName(issuer))
    throw new TypeError(
      'verify must give the issuer of a token where there are several authorization servers.',
    );
  if (expiresAt !== undefined && !Number.isFinite(expiresAt))
    throw new TypeError('verify must give expiresAt in milliseconds since 1970.');
  if (!Array.isArray(scopes)) throw new TypeError('verify must give scopes as a list.');
  if (claims !== undefined && JSON.stringify(claims).length > settings.claimsLength) {
    throw new RangeError(
      `The claims of a token take more than ${settings.claimsLength} characters; have verify leave some out, or raise claimsLength.`,
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
