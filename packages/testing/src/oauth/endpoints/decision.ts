import type { Authority } from '../authority.js';
import { grantTypes } from '../grants/grant-types.js';
import type { TestAnswer } from '../http/answer.js';
import { OauthProblem } from '../http/oauth-problem.js';
import { randomText } from '../random-text.js';
import { granted } from '../scopes.js';
import { authorizationResponse, errorResponse } from './authorization-response.js';
import type { PendingAuthorization } from './pending-consent.js';

/** Redirects the browser to the client with a code, or with an error. */
export async function decided(
  pending: PendingAuthorization,
  decision: 'allow' | 'deny',
  authority: Authority,
): Promise<TestAnswer> {
  const { request, state } = pending;
  const { redirectUri } = request;
  try {
    const user = await userOf(pending, decision, authority);
    const code = await newCode(pending, user, authority);
    return authorizationResponse({ code }, { redirectUri, state }, authority);
  } catch (problem) {
    return errorResponse(problem, { redirectUri, state }, authority);
  }
}

async function userOf(
  { request }: PendingAuthorization,
  decision: 'allow' | 'deny',
  { settings: { user } }: Authority,
): Promise<string> {
  const name = decision === 'deny' ? 'deny' : await (typeof user === 'function' ? user(request) : user);
  if (name === 'deny') throw new OauthProblem('access_denied', 'The user denied access.');
  return name;
}

async function newCode(pending: PendingAuthorization, user: string, authority: Authority): Promise<string> {
  const { request, challenge, nonce, codeKey } = pending;
  const { clientId, redirectUri, resources } = request;
  const client = await authority.registry.find(clientId, authority.settings);
  const about = { clientId, user, grantType: grantTypes.code, allowed: client?.scopes };
  const scopes = granted(request.scopes, about, authority);
  const code = randomText();
  authority.codes.set(code, {
    grant: { type: grantTypes.code, clientId, user, scopes, resources, nonce, revoked: false },
    redirectUri,
    challenge,
    codeKey,
    expiresAt: authority.now() + authority.settings.lifetimes.code,
    used: false,
  });
  return code;
}
