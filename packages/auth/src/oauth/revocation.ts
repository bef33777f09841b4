import type { AuthorizationServer } from '../discovery/authorization-server.js';
import { sendForm } from './client-authentication.js';
import type { ClientInformation } from './client-information.js';
import type { GrantTools } from './grant.js';
import type { TokenSet } from './token-set.js';

export interface RevocationRequest {
  readonly server: AuthorizationServer;
  readonly client: ClientInformation;
  readonly tokens: TokenSet;
  readonly tools: Pick<GrantTools, 'http' | 'clock' | 'signal'>;
}

/**
 * Revokes tokens, if the authorization server can: the refresh token, which also revokes the access tokens from it, or else the
 * access token.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2.1
 * @throws AuthError if the request fails. The response is ignored, because there is nothing left to do.
 */
export async function revokeTokens({ server, client, tokens, tools }: RevocationRequest): Promise<void> {
  const endpoint = server.revocationEndpoint;
  if (endpoint === undefined) return;
  const { refreshToken, accessToken } = tokens;
  const params = {
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  };
  const { clock, http, signal } = tools;
  await sendForm({ server, endpoint, client, params, http, clock, signal });
}
