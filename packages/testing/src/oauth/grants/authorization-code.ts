import { createHash } from 'node:crypto';
import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import type { AuthorizationCode } from '../authority/token-store.js';
import { OauthProblem } from '../http/answer.js';
import { needed } from '../http/form.js';
import { issueTokens, newRefreshToken } from '../tokens/issuing.js';
import { type GrantRequest, senderOf } from './client-authentication.js';
import { someResources } from './granted.js';

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
export async function authorizationCodeGrant(
  request: GrantRequest,
  authority: Authority,
): Promise<JsonObject> {
  const { client, method } = senderOf(request);
  const { form, boundTo } = request;
  const code = authority.codes.get(needed(form, 'code'));
  if (code === undefined || code.grant.revoked || code.grant.clientId !== client.clientId)
    throw refused('it is unknown, or was issued to another client');
  if (code.used) {
    code.grant.revoked = true;
    throw refused('it was used before; all tokens issued for it are revoked');
  }
  // Set before all other checks, so that a code can be tried only once.
  code.used = true;
  requireProofs(code, request, authority.now());
  const resources = someResources(code.grant.resources, form, authority);
  const { grant } = code;
  if (method === 'none') grant.refreshKey = boundTo;
  return issueTokens(
    {
      grant,
      subject: grant.user ?? client.clientId,
      scopes: grant.scopes,
      resources,
      boundTo,
      refreshToken: newRefreshToken(grant, client, authority),
    },
    authority,
  );
}

function requireProofs(code: AuthorizationCode, { form, boundTo }: GrantRequest, now: number): void {
  if (code.expiresAt <= now) throw refused('it has expired');
  const redirectUri = form.get('redirect_uri');
  if (redirectUri !== null && redirectUri !== code.redirectUri)
    throw refused('redirect_uri differs from the authorization request');
  const verifier = needed(form, 'code_verifier');
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    throw new OauthProblem('invalid_request', 'code_verifier must have 43 to 128 letters, digits or -._~.');
  if (createHash('sha256').update(verifier).digest('base64url') !== code.challenge)
    throw refused('code_verifier does not match the challenge');
  if (code.codeKey !== undefined && code.codeKey !== boundTo) throw refused('it is bound to another key');
}

function refused(reason: string): OauthProblem {
  return new OauthProblem('invalid_grant', `The code is rejected: ${reason}.`);
}
