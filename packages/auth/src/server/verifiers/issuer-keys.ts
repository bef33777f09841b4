import type { Clock } from '@tenon/mcp-protocol';
import { AuthError } from '../../auth-error.js';
import { fetchAuthorizationServer } from '../../client/server-metadata.js';
import { safeHttp } from '../../http/safe-http.js';
import type { JwtVerifierSettings, TokenIssuer } from './jwt-verifier-options.js';
import { type KeySet, LocalKeySet } from './key-set.js';
import { RemoteKeySet } from './remote-key-set.js';

/** The keys of an issuer: those that were given, or fetched from where it, or its metadata, says. */
export function issuerKeys(given: TokenIssuer, settings: JwtVerifierSettings, clock: Clock): KeySet {
  const { issuer, jwks, jwksUri } = given;
  const { maxKeys, keyMaxAge: maxAge, keyStaleFor: staleFor, keyCooldown: cooldown } = settings;
  if (jwks !== undefined) return new LocalKeySet(jwks, maxKeys);
  const http = settings.http ?? safeHttp({ server: new URL(issuer), clock });
  const locate = async () => {
    if (jwksUri !== undefined) return new URL(jwksUri);
    const server = await fetchAuthorizationServer({ issuer, http });
    if (server.jwksUri !== undefined) return server.jwksUri;
    throw new AuthError('unsupported', `The metadata of ${issuer} does not say where its keys are.`);
  };
  return new RemoteKeySet({ issuer, locate, http, clock, maxAge, staleFor, cooldown, maxKeys });
}
