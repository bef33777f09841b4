import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { digestOf, randomSecret } from '../oauth/secrets.js';

/** The parameters of an authorization request. */
export interface AuthorizationParams {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly state: string;
  /** The code challenge, of the method S256. */
  readonly challenge: string;
  /** True to have the user asked for consent where `offline_access` is requested. */
  readonly asksConsent?: boolean | undefined;
}

/**
 * Returns the URL where the user signs in. Keeps the query of the endpoint, except for parameters of this request.
 * @throws AuthError `unsupported`, `forbidden-address`
 */
export function authorizationUrl(server: AuthorizationServer, params: AuthorizationParams): URL {
  const endpoint = server.authorizationEndpoint;
  if (endpoint === undefined)
    throw new AuthError('unsupported', 'The authorization server has no authorization_endpoint.');
  // A browser may execute URLs of other schemes.
  if (endpoint.protocol !== 'https:' && endpoint.protocol !== 'http:') {
    throw new AuthError(
      'forbidden-address',
      'The authorization_endpoint is not a web address; it was not opened.',
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
    prompt: params.asksConsent === true && scopes?.includes('offline_access') ? 'consent' : undefined,
  };
  for (const [name, value] of Object.entries(said)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/**
 * Rejects authorization servers that do not support PKCE with S256.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/security-considerations#authorization-code-protection
 * @throws AuthError `unsupported`
 */
export function requirePkce({ issuer, codeChallengeMethods, assumed }: AuthorizationServer): void {
  if (assumed || codeChallengeMethods?.includes('S256') === true) return;
  throw new AuthError(
    'unsupported',
    `${new URL(issuer).origin} does not list S256 (PKCE) in code_challenge_methods_supported; users are not sent there to sign in.`,
  );
}

/**
 * Returns a new verifier with 256 random bits, which is sent only with the code, and its challenge of the method S256.
 * https://www.rfc-editor.org/rfc/rfc7636#section-4
 */
export async function createPkce(): Promise<{ readonly verifier: string; readonly challenge: string }> {
  const verifier = randomSecret();
  return { verifier, challenge: await digestOf(verifier) };
}
