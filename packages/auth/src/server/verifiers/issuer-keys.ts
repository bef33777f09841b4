import type { Clock } from '@tenon/foundation';
import { AuthError } from '../../auth-error.js';
import { fetchAuthorizationServer } from '../../client/discovery/server-metadata.js';
import { safeHttp } from '../../http/safe-http.js';
import { type KeySet, LocalKeySet } from '../keys/key-set.js';
import { RemoteKeySet } from '../keys/remote-key-set.js';
import type { JwtVerifierSettings, TokenIssuer } from './jwt-verifier-options.js';

/** Returns the keys of an issuer: those of the options, or those at the URL in the options or in its metadata. */
export function issuerKeys(given: TokenIssuer, settings: JwtVerifierSettings, clock: Clock): KeySet {
  const { issuer, jwks, jwksUri } = given;
  const { maxKeys, keyMaxAge: maxAge, keyStaleFor: staleFor, keyCooldown: cooldown } = settings;
  if (jwks !== undefined) return new LocalKeySet(jwks, maxKeys);
  const http = settings.http ?? safeHttp({ server: new URL(issuer), clock });
  const locate = async () => {
    if (jwksUri !== undefined) return new URL(jwksUri);
    const server = await fetchAuthorizationServer({ issuer, http });
    if (server.jwksUri !== undefined) return server.jwksUri;
    throw new AuthError('unsupported', `The metadata of ${issuer} has no usable jwks_uri.`);
  };
  return new RemoteKeySet({ issuer, locate, http, clock, maxAge, staleFor, cooldown, maxKeys });
}
