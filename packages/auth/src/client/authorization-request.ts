import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from './authorization-server.js';

/** What an authorization request says. */
export interface AuthorizationParams {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly state: string;
  /** Of the method S256. */
  readonly challenge: string;
}

/**
 * Where the user is sent to sign in. What the endpoint's own query says is kept, except where it says what is ours to say.
 * @throws AuthError `unsupported`, `forbidden-address`
 */
export function authorizationUrl(server: AuthorizationServer, params: AuthorizationParams): URL {
  const endpoint = server.authorizationEndpoint;
  if (endpoint === undefined)
    throw new AuthError('unsupported', 'The authorization server has no place where users sign in.');
  // Whatever opens it must not be made to run something.
  if (endpoint.protocol !== 'https:' && endpoint.protocol !== 'http:') {
    throw new AuthError(
      'forbidden-address',
      'The place where users sign in is no web address; it was not opened.',
    );
  }
  const url = new URL(endpoint);
  url.hash = '';
  const { scopes } = params;
  const said: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: params.clientId,
    redirect_uri: params.redirectUri,
    resource: params.resource,
    state: params.state,
    code_challenge: params.challenge,
    code_challenge_method: 'S256',
    scope: scopes?.join(' '),
    // OpenID Connect gives a refresh token only to whom the user was asked about.
    prompt: scopes?.includes('offline_access') ? 'consent' : undefined,
  };
  for (const [name, value] of Object.entries(said)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/**
 * Refuses authorization servers that do not protect codes by PKCE with S256.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#authorization-code-protection
 * @throws AuthError `unsupported`
 */
export function requirePkce({ issuer, codeChallengeMethods, assumed }: AuthorizationServer): void {
  if (assumed || codeChallengeMethods?.includes('S256') === true) return;
  throw new AuthError(
    'unsupported',
    `${new URL(issuer).origin} does not say that it has PKCE with S256 (code_challenge_methods_supported); nobody is sent there to sign in.`,
  );
}
