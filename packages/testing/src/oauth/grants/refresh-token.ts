import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import type { IssuedToken } from '../authority/token-store.js';
import { OauthProblem } from '../http/answer.js';
import { needed, words } from '../http/form.js';
import { issueTokens, newRefreshToken } from '../tokens/issuing.js';
import { type GrantRequest, senderOf } from './client-authentication.js';
import { someOf, someResources } from './granted.js';

/** https://www.rfc-editor.org/rfc/rfc6749#section-6 */
export async function refreshTokenGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { client } = senderOf(request);
  const { form, boundTo } = request;
  const text = needed(form, 'refresh_token');
  const token = authority.tokens.find(text);
  requireGood(token, request, authority);
  const { grant } = token;
  const scopes = someOf(grant.scopes, words(form.get('scope')));
  const resources = someResources(grant.resources, form, authority);
  const rotates = authority.settings.refreshTokens === 'rotating';
  if (rotates) token.spent = true;
  return issueTokens(
    {
      grant,
      subject: grant.user ?? client.clientId,
      scopes,
      resources,
      boundTo,
      refreshToken: rotates ? newRefreshToken(grant, client, authority) : text,
    },
    authority,
  );
}

function requireGood(
  token: IssuedToken | undefined,
  request: GrantRequest,
  { tokens }: Authority,
): asserts token is IssuedToken {
  if (token?.kind !== 'refresh' || token.grant.clientId !== senderOf(request).client.clientId)
    throw refused('it is unknown, or was issued to another client');
  const { grant } = token;
  if (token.spent && !grant.revoked) {
    grant.revoked = true;
    throw refused('it was used before; all tokens of its family are revoked');
  }
  if (!tokens.isActive(token)) throw refused('it has expired or was revoked');
  if (grant.refreshKey !== undefined && grant.refreshKey !== request.boundTo)
    throw refused('it is bound to another key');
}

function refused(reason: string): OauthProblem {
  return new OauthProblem('invalid_grant', `The refresh token is rejected: ${reason}.`);
}
