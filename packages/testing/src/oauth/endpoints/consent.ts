import { type Authority, randomText } from '../authority/authority.js';
import type { PendingAuthorization } from '../authority/token-store.js';
import { granted } from '../grants/granted.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import { formOf, grantTypes } from '../http/form.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import { authorizationResponse, errorResponse } from './authorization-response.js';
import { page } from './page.js';

/** Handles the choice of the user on a consent page. Each page can be used once. */
export async function consentAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const id = form.get('request') ?? '';
  const pending = authority.consents.get(id);
  authority.consents.delete(id);
  if (pending === undefined || pending.expiresAt <= authority.now())
    return page('This page counts no more', '<p>Go back to the program and sign in again.</p>', 400);
  return decided(pending, form.get('decision') === 'allow' ? 'allow' : 'deny', authority);
}

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
