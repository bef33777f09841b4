import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import { grantTypes, needed, words } from '../http/form.js';
import { issueTokens } from '../tokens/issuing.js';
import { type GrantRequest, senderOf } from './client-authentication.js';
import { granted, requireResource, resourcesOf, someOf, someResources } from './granted.js';
import { type TrustedAssertion, trustedAssertion } from './trusted-assertion.js';

interface Allowed {
  readonly clientId: string | undefined;
  readonly asked: readonly string[];
  readonly resources: readonly string[];
  /** Scopes the client may request; undefined for all. */
  readonly scopes: readonly string[] | undefined;
}

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.1 */
export async function jwtBearerGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const assertion = await trustedAssertion(needed(request.form, 'assertion'), authority);
  const { sub: subject } = assertion.claims;
  const isIdJag = assertion.kind === 'id-jag';
  const allowed = isIdJag ? byIdJag(assertion, request, authority) : byWorkload(request, authority);
  const { clientId, resources } = allowed;
  const type = grantTypes.jwtBearer;
  const user = isIdJag ? subject : undefined;
  const scopes = granted(
    allowed.asked,
    { clientId, user, grantType: type, allowed: allowed.scopes },
    authority,
  );
  const grant = { type, clientId, user, scopes, resources, revoked: false };
  return issueTokens({ grant, subject, scopes, resources, boundTo: request.boundTo }, authority);
}

function byIdJag({ claims }: TrustedAssertion, request: GrantRequest, authority: Authority): Allowed {
  const { client } = senderOf(request);
  if (claims.client_id !== client.clientId)
    throw new OauthProblem('invalid_grant', 'The assertion is rejected: it was issued to another client.');
  const named = [claims.resource].flat().filter((uri): uri is string => typeof uri === 'string');
  for (const uri of named) requireResource(uri, authority);
  const asked = words(request.form.get('scope'));
  return {
    clientId: client.clientId,
    asked: typeof claims.scope === 'string' ? someOf(words(claims.scope), asked) : asked,
    // The assertion names the resource; the request may repeat it.
    resources: request.form.has('resource') ? someResources(named, request.form, authority) : named,
    scopes: client.scopes,
  };
}

function byWorkload({ form, sender }: GrantRequest, authority: Authority): Allowed {
  return {
    clientId: sender?.client.clientId,
    asked: words(form.get('scope')),
    resources: resourcesOf(form, authority),
    scopes: sender?.client.scopes,
  };
}
