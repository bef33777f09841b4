import type { JsonObject } from '@tenon/mcp-protocol';
import { type Authority, randomText } from '../authority/authority.js';
import { OauthProblem, rejectionOf, type TestAnswer } from '../http/answer.js';
import { formOf, needed, singleParams, words } from '../http/form.js';
import { page } from '../http/page.js';
import type { RecordedRequest } from '../http/recorded-request.js';
import { queryOf } from '../http/requests.js';
import { grantTypes } from '../options/settings.js';
import { authenticate, type GrantRequest, requireMay, senderOf } from './client-authentication.js';
import { grantedScopes, resourcesOf, someResources } from './requested-access.js';
import { issueTokens, newRefreshToken } from './tokens.js';

/**
 * Issues a device code, and a code for the user.
 * https://www.rfc-editor.org/rfc/rfc8628#section-3.1
 */
export async function deviceAnswer(request: RecordedRequest, authority: Authority): Promise<TestAnswer> {
  const { settings, issuer, now } = authority;
  const form = formOf(request);
  const { client } = senderOf(await authenticate(request, form, authority));
  requireMay(client, grantTypes.device);
  const { clientId } = client;
  const [scopes, resources] = [words(form.get('scope')), resourcesOf(form, authority)];
  const [deviceCode, userCode] = [randomText(), newUserCode()];
  const lifetime = settings.lifetimes.deviceCode;
  authority.devices.set(deviceCode, {
    request: { ...request, clientId, redirectUri: '', scopes, resources },
    userCode,
    expiresAt: now() + lifetime,
  });
  const body = {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: `${issuer}/verify`,
    verification_uri_complete: `${issuer}/verify?user_code=${userCode}`,
    expires_in: lifetime / 1_000,
    interval: settings.pollInterval / 1_000,
  };
  return { status: 200, headers: { 'cache-control': 'no-store' }, body };
}

/** Consonants: a code of them spells no word. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';

function newUserCode(): string {
  const code = Array.from(
    crypto.getRandomValues(new Uint8Array(8)),
    (byte) => letters[byte % letters.length],
  );
  return `${code.slice(0, 4).join('')}-${code.slice(4).join('')}`;
}

/**
 * Answers the browser of the user: with a form for the code, or with a code by signing the user in. The function `user` also
 * receives the parameters of this page, such as `login_hint`.
 */
export async function verificationAnswer(
  request: RecordedRequest,
  authority: Authority,
): Promise<TestAnswer> {
  const { settings, devices, now } = authority;
  const userCode = singleParams(queryOf(request.url)).get('user_code');
  if (userCode === null)
    return page('Sign in', '<form><input name="user_code" autofocus> <button>Sign in</button></form>');
  const device = [...devices.values()].find((one) => one.userCode === userCode);
  if (device === undefined || device.expiresAt <= now() || device.user !== undefined)
    return page('This code is unknown', '<p>Go back to the program and sign in again.</p>', 400);
  const asked = { ...device.request, params: { ...device.request.params, ...request.params } };
  device.user = typeof settings.user === 'string' ? settings.user : await settings.user(asked);
  return page(device.user === 'deny' ? 'Access denied' : 'Signed in', '<p>Go back to the program.</p>');
}

const rejected = rejectionOf('invalid_grant', 'The device code');

/** https://www.rfc-editor.org/rfc/rfc8628#section-3.4 */
export async function deviceGrant(
  { form, sender, boundTo }: GrantRequest,
  authority: Authority,
): Promise<JsonObject> {
  const { client, method } = senderOf(sender);
  const code = needed(form, 'device_code');
  const device = authority.devices.get(code);
  if (device === undefined || device.request.clientId !== client.clientId)
    throw rejected('it is unknown, or was issued to another client');
  const { request, user, expiresAt, polledAt = Number.NEGATIVE_INFINITY } = device;
  const now = authority.now();
  device.polledAt = now;
  if (expiresAt <= now) throw new OauthProblem('expired_token', 'The device code has expired.');
  if (now - polledAt < authority.settings.pollInterval)
    throw new OauthProblem('slow_down', 'Two requests came within the interval.');
  if (user === undefined) throw new OauthProblem('authorization_pending', 'The user has not signed in yet.');
  authority.devices.delete(code);
  if (user === 'deny') throw new OauthProblem('access_denied', 'The user denied access.');
  const about = { clientId: client.clientId, user, grantType: grantTypes.device };
  const scopes = grantedScopes(request.scopes, { ...about, allowed: client.scopes }, authority);
  const refreshKey = method === 'none' ? boundTo : undefined;
  const grant = { ...about, scopes, resources: request.resources, refreshKey };
  const resources = someResources(grant.resources, form, authority);
  const refreshToken = newRefreshToken(grant, client, authority);
  return issueTokens({ grant, resources, boundTo, refreshToken }, authority);
}
