import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority.js';
import { words } from '../http/form.js';
import { OauthProblem } from '../http/oauth-problem.js';
import { resourcesOf } from '../resources.js';
import { granted } from '../scopes.js';
import { issueTokens } from '../tokens/issuing.js';
import { type GrantRequest, senderOf } from './grant-request.js';
import { grantTypes } from './grant-types.js';

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
