import { type Authority, type Grant, randomText } from './authority.js';
import { checkMayUse, clientOf, clientRequest } from './client-authentication.js';
import { needed, paramsOf } from './form.js';
import { newGrant, requestedAccess } from './granted-access.js';
import {
  check,
  OauthProblem,
  problemIn,
  type RecordedAuthorizationRequest,
  type RecordedRequest,
  type TestAnswer,
} from './messages.js';
import { consentPage, page } from './pages.js';
import { isRegistered } from './redirect-uris.js';
import { grantTypes } from './settings.js';

const consentLifetime = 600_000;

/** The target of an authorization response. */
type ResponseTarget = Pick<RecordedAuthorizationRequest, 'redirectUri' | 'params'>;

/**
 * Answers an authorization request with a redirect to the client, or with a consent page.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1
 * @throws OauthProblem as long as the redirect URI is not trusted: the browser stays here
 */
export async function authorizationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const params = paramsOf(request);
  const clientId = needed(params, 'client_id');
  const client = await authority.findClient(clientId, true);
  check(client, 'invalid_client', `The client ${JSON.stringify(clientId)} is unknown.`);
  const { name = clientId, redirectUris = [] } = client;
  const redirectUri = params.get('redirect_uri') ?? (redirectUris.length === 1 ? redirectUris[0] : undefined);
  check(redirectUri, 'invalid_request', 'redirect_uri is missing.');
  const isTheirs = isRegistered(redirectUri, redirectUris);
  check(isTheirs, 'invalid_request', `${redirectUri} is not a redirect URI of this client.`);
  return redirected({ ...request, redirectUri }, authority, () => {
    checkCodeFlow(params);
    const asked = { ...request, clientId, redirectUri, ...requestedAccess(params, authority) };
    if (!authority.settings.consent) return codeFor(asked, authority);
    const id = randomText();
    authority.consents.set(id, { request: asked, expiresAt: authority.now() + consentLifetime });
    return consentPage(asked, name, { action: `${authority.issuer}/consent`, id });
  });
}

function checkCodeFlow(params: URLSearchParams): void {
  const isCode = needed(params, 'response_type') === 'code';
  check(isCode, 'unsupported_response_type', 'The only supported response_type is "code".');
  const isS256 = params.get('code_challenge_method') === 'S256';
  check(isS256, 'invalid_request', 'code_challenge_method must be "S256".');
  const isHash = /^[\w-]{43}$/.test(needed(params, 'code_challenge'));
  check(isHash, 'invalid_request', 'code_challenge is not a SHA-256 in base64url.');
}

/** Handles the choice of the user on a consent page. Each page can be used once. */
export async function consentAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const form = paramsOf(request);
  const id = form.get('request') ?? '';
  const pending = authority.consents.get(id);
  authority.consents.delete(id);
  const isCurrent = pending !== undefined && authority.now() < pending.expiresAt;
  check(isCurrent, 'invalid_request', 'This page is out of date. Go back to the program and sign in again.');
  return redirected(pending.request, authority, () => {
    check(form.get('decision') === 'allow', 'access_denied', 'The user denied access.');
    return codeFor(pending.request, authority);
  });
}

async function codeFor(request: RecordedAuthorizationRequest, authority: Authority): Promise<TestAnswer> {
  const grant = await grantByUser(request, grantTypes.code, authority);
  const code = randomText();
  const exp = (authority.now() + authority.settings.lifetimes.code) / 1_000;
  authority.tokens.set(code, { kind: 'code', grant, claims: { exp } });
  return authorizationResponse({ code }, request, authority);
}

/** Signs the user in. @throws OauthProblem `access_denied` if the user denies access, or `invalid_scope` */
export async function grantByUser(
  request: RecordedAuthorizationRequest,
  grantType: string,
  authority: Authority,
): Promise<Grant> {
  const { user: choice } = authority.settings;
  const user = typeof choice === 'string' ? choice : await choice(request);
  check(user !== 'deny', 'access_denied', 'The user denied access.');
  const client = await authority.findClient(request.clientId);
  return { ...newGrant(request, { client, user, grantType }, authority), request };
}

/** Answers a request; an OAuth error of the task is sent to the client by a redirect. */
async function redirected(
  target: ResponseTarget,
  authority: Authority,
  task: () => TestAnswer | Promise<TestAnswer>,
): Promise<TestAnswer> {
  try {
    return await task();
  } catch (cause) {
    const { error, message } = problemIn(cause);
    return authorizationResponse({ error, error_description: message }, target, authority);
  }
}

/**
 * Redirects the browser to the client.
 * https://www.rfc-editor.org/rfc/rfc9207#section-2
 */
function authorizationResponse(
  members: Readonly<Record<string, string>>,
  { redirectUri, params }: ResponseTarget,
  { issuer, settings }: Authority,
): TestAnswer {
  const response = new URLSearchParams(members);
  const right = { state: params.state, iss: issuer };
  for (const name of ['state', 'iss'] as const) {
    const value = settings[name] === 'right' ? right[name] : settings[name];
    if (value && value !== 'missing') response.set(name, value);
  }
  const joint = redirectUri.includes('?') ? '&' : '?';
  const headers = { location: redirectUri + joint + response, 'referrer-policy': 'no-referrer' };
  return { status: 302, headers };
}

/**
 * Issues a device code, and a code for the user.
 * https://www.rfc-editor.org/rfc/rfc8628#section-3.1
 */
export async function deviceAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const { settings, issuer } = authority;
  const sent = await clientRequest(request, authority);
  const client = clientOf(sent);
  checkMayUse(grantTypes.device, client);
  const { clientId } = client;
  const access = requestedAccess(sent.form, authority);
  const [deviceCode, userCode] = [randomText(), newUserCode()];
  const lifetime = settings.lifetimes.deviceCode;
  authority.devices.set(deviceCode, {
    request: { ...request, clientId, redirectUri: '', ...access },
    userCode,
    expiresAt: authority.now() + lifetime,
  });
  const body = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${issuer}/verify`,
    verification_uri_complete: `${issuer}/verify?user_code=${userCode}`,
    expires_in: lifetime / 1_000,
    interval: settings.pollInterval / 1_000,
  };
  return { status: 200, body };
}

/** Consonants: a code of them spells no word. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

function newUserCode(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(8))];
  const code = bytes.map((byte) => letters[byte % letters.length]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/**
 * Answers the browser of the user: with a form for the code, or with a code by signing the user in. The function `user` also
 * receives the parameters of this page, such as `login_hint`.
 */
export async function verificationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const userCode = paramsOf(request).get('user_code');
  if (userCode === null)
    return page('Sign in', '<form><input name="user_code" autofocus> <button>Sign in</button></form>');
  const device = [...authority.devices.values()].find((one) => one.userCode === userCode);
  const isValid = device && authority.now() < device.expiresAt && device.outcome === undefined;
  check(isValid, 'invalid_request', 'This code is unknown. Go back to the program and sign in again.');
  const asked = { ...device.request, params: { ...device.request.params, ...request.params } };
  device.outcome = await grantByUser(asked, grantTypes.device, authority).catch(problemIn);
  const isDenied = device.outcome instanceof OauthProblem;
  return page(isDenied ? 'Access denied' : 'Signed in', '<p>Go back to the program.</p>');
}
