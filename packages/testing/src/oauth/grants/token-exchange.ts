import type { JsonObject } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { type Authority, secondsOf } from '../authority/authority.js';
import { OauthProblem } from '../http/answer.js';
import { grantTypes, idJagType, needed, words } from '../http/form.js';
import { signedJwt } from '../tokens/jws.js';
import { claimsFor, headerFor } from '../tokens/token-claims.js';
import { type GrantRequest, senderOf } from './client-authentication.js';

const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';

/**
 * Exchanges an ID token of this server for an identity assertion grant at another authorization server.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2
 */
export async function tokenExchangeGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { clientId } = senderOf(request).client;
  const { form } = request;
  if (needed(form, 'requested_token_type') !== idJagType)
    throw invalid(`requested_token_type must be ${idJagType}`);
  if (needed(form, 'subject_token_type') !== idTokenType)
    throw invalid(`subject_token_type must be ${idTokenType}`);
  const user = await userOf(needed(form, 'subject_token'), clientId, authority);
  const audience = needed(form, 'audience');
  const resources = targets(form);
  const grantType = grantTypes.tokenExchange;
  // The scopes belong to the other server and are unknown here.
  const asked = words(form.get('scope'));
  const scopes = authority.settings.grantScopes?.(asked, { clientId, user, grantType }) ?? asked;
  const [first = ''] = resources;
  const facts = {
    subject: user,
    clientId: authority.settings.idJagClient(clientId, audience),
    audience,
    scopes,
    more: { resource: resources.length > 1 ? resources : first },
  };
  const claims = claimsFor({ kind: 'id-jag', clientId, grantType }, facts, authority);
  const assertion = await signedJwt(
    { header: headerFor('id-jag', authority), claims },
    authority.keys.current,
  );
  return {
    issued_token_type: idJagType,
    access_token: assertion,
    token_type: 'N_A',
    ...(typeof claims.exp === 'number' && { expires_in: claims.exp - secondsOf(authority.now()) }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

async function userOf(idToken: string, clientId: string, authority: Authority): Promise<string> {
  const { keys, issuer, now } = authority;
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys.jwks), {
    issuer,
    audience: clientId,
    typ: 'JWT',
    requiredClaims: ['exp', 'sub'],
    currentDate: new Date(now()),
  }).catch((cause: unknown) => {
    throw new OauthProblem(
      'invalid_grant',
      `subject_token is refused: ${cause instanceof Error ? cause.message : cause}.`,
    );
  });
  return payload.sub ?? '';
}

function targets(form: URLSearchParams): readonly string[] {
  const resources = form.getAll('resource');
  if (resources.length === 0) throw invalid('resource is missing');
  if (resources.some((uri) => !isUrl(uri) || uri.includes('#')))
    throw new OauthProblem('invalid_target', 'resource must be an absolute URI without a fragment.');
  return resources;
}

function invalid(reason: string): OauthProblem {
  return new OauthProblem('invalid_request', `The exchange is rejected: ${reason}.`);
}
