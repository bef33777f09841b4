import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import { grantTypes, words } from '../http/form.js';
import { issueTokens } from '../tokens/issuing.js';
import { type GrantRequest, senderOf } from './client-authentication.js';
import { granted, resourcesOf } from './granted.js';

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
export async function clientCredentialsGrant(
  request: GrantRequest,
  authority: Authority,
): Promise<JsonObject> {
  const { client, method } = senderOf(request);
  if (method === 'none')
    throw new OauthProblem('unauthorized_client', 'A client without credentials cannot act for itself.');
  const { clientId } = client;
  const type = grantTypes.clientCredentials;
  const about = { clientId, user: undefined, grantType: type, allowed: client.scopes };
  const scopes = granted(words(request.form.get('scope')), about, authority);
  const resources = resourcesOf(request.form, authority);
  const grant = { type, clientId, user: undefined, scopes, resources, revoked: false };
  return issueTokens({ grant, subject: clientId, scopes, resources, boundTo: request.boundTo }, authority);
}
