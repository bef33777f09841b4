import { type Authority, randomText } from '../authority/authority.js';
import { OauthProblem, type TestAnswer } from '../http/answer.js';
import { formOf, needed, singleParams, words } from '../http/form.js';
import { consentPage, escaped, page } from '../http/page.js';
import type { RecordedAuthorizationRequest, RecordedRequest } from '../http/recorded-request.js';
import { isRegistered } from '../http/redirect-uris.js';
import { queryOf } from '../http/requests.js';
import type { TestClient } from '../options/behaviour.js';
import { grantTypes } from '../options/settings.js';
import { grantedScopes, resourcesOf } from './requested-access.js';

const consentLifetime = 600_000;

/** The target of an authorization response. */
type ResponseTarget = Pick<RecordedAuthorizationRequest, 'redirectUri' | 'params'>;

/**
 * Answers an authorization request with a redirect to the client, or with a consent page.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1
 */
export async function authorizationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  let params: URLSearchParams;
  let client: TestClient;
  let redirectUri: string;
  try {
    params = singleParams(queryOf(request.url));
    client = await clientOf(params, authority);
    redirectUri = redirectUriOf(params, client);
  } catch (problem) {
    // The redirect URI of the request is not trusted yet: the browser stays here.
    if (problem instanceof OauthProblem) return refusalPage(problem);
    throw problem;
  }
  const { clientId, name = clientId } = client;
  return redirected({ ...request, redirectUri }, authority, () => {
    requireCodeFlow(params);
    const [scopes, resources] = [words(params.get('scope')), resourcesOf(params, authority)];
    const asked = { ...request, clientId, redirectUri, scopes, resources };
    if (!authority.settings.consent) return decided(asked, 'allow', authority);
    const id = randomText();
    authority.consents.set(id, { request: asked, expiresAt: authority.now() + consentLifetime });
    return consentPage(asked, name, { action: `${authority.issuer}/consent`, id });
  });
}

async function clientOf(params: URLSearchParams, authority: Authority): Promise<TestClient> {
  const clientId = needed(params, 'client_id');
  const client = await authority.findClient(clientId, true);
  if (client !== undefined) return client;
  throw new OauthProblem('invalid_client', `The client ${JSON.stringify(clientId)} is unknown.`);
}

function redirectUriOf(params: URLSearchParams, { redirectUris = [] }: TestClient): string {
  const [only, ...others] = redirectUris;
  const redirectUri = params.get('redirect_uri') ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined) throw new OauthProblem('invalid_request', 'redirect_uri is missing.');
  if (isRegistered(redirectUri, redirectUris)) return redirectUri;
  throw new OauthProblem('invalid_request', `${redirectUri} is not a redirect URI of this client.`);
}

function requireCodeFlow(params: URLSearchParams): void {
  if (needed(params, 'response_type') !== 'code')
    throw new OauthProblem('unsupported_response_type', 'The only supported response_type is "code".');
  if (params.get('code_challenge_method') !== 'S256')
    throw new OauthProblem('invalid_request', 'code_challenge_method must be "S256".');
  if (!/^[\w-]{43}$/.test(needed(params, 'code_challenge')))
    throw new OauthProblem('invalid_request', 'code_challenge is not a SHA-256 in base64url.');
}

/** Handles the choice of the user on a consent page. Each page can be used once. */
export async function consentAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = formOf(request);
  const id = form.get('request') ?? '';
  const pending = authority.consents.get(id);
  authority.consents.delete(id);
  if (pending === undefined || pending.expiresAt <= authority.now())
    return page('This page counts no more', '<p>Go back to the program and sign in again.</p>', 400);
  const decision = form.get('decision') === 'allow' ? 'allow' : 'deny';
  return redirected(pending.request, authority, () => decided(pending.request, decision, authority));
}

/** @throws OauthProblem if access is denied */
async function decided(
  request: RecordedAuthorizationRequest,
  decision: 'allow' | 'deny',
  authority: Authority,
): Promise<TestAnswer> {
  const { settings, codes, now } = authority;
  const { clientId, resources } = request;
  const asked = typeof settings.user === 'function' ? settings.user : () => settings.user as string;
  const user = decision === 'deny' ? 'deny' : await asked(request);
  if (user === 'deny') throw new OauthProblem('access_denied', 'The user denied access.');
  const client = await authority.findClient(clientId);
  const about = { clientId, user, grantType: grantTypes.code };
  const scopes = grantedScopes(request.scopes, { ...about, allowed: client?.scopes }, authority);
  const code = randomText();
  const grant = { ...about, scopes, resources, nonce: request.params.nonce || undefined };
  codes.set(code, { request, grant, expiresAt: now() + settings.lifetimes.code });
  return authorizationResponse({ code }, request, authority);
}

/** Answers a request; an OAuth error of the task is sent to the client by a redirect. */
async function redirected(
  target: ResponseTarget,
  authority: Authority,
  task: () => TestAnswer | Promise<TestAnswer>,
): Promise<TestAnswer> {
  try {
    return await task();
  } catch (problem) {
    if (!(problem instanceof OauthProblem)) throw problem;
    const { error, message } = problem;
    return authorizationResponse({ error, error_description: message }, target, authority);
  }
}

/**
 * Redirects the browser to the client.
 * https://www.rfc-editor.org/rfc/rfc9207#section-2
 */
function authorizationResponse(
  params: Readonly<Record<string, string>>,
  { redirectUri, params: { state } }: ResponseTarget,
  { issuer, settings }: Authority,
): TestAnswer {
  const said = new URLSearchParams(params);
  const back = settings.state === 'right' ? state : settings.state;
  if (back && back !== 'missing') said.set('state', back);
  if (settings.iss !== 'missing') said.set('iss', settings.iss === 'right' ? issuer : settings.iss);
  const joint = redirectUri.includes('?') ? '&' : '?';
  return { status: 302, headers: { location: redirectUri + joint + said, 'referrer-policy': 'no-referrer' } };
}

function refusalPage({ error, message }: OauthProblem): TestAnswer {
  const text = `<p id="error">${escaped(error)}</p><p>${escaped(message)}</p>`;
  return page('This request cannot be answered', text, 400);
}
