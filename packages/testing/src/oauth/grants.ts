import { createHash } from 'node:crypto';
import type { JsonObject } from '@tenon/mcp-protocol';
import { trustedAssertion, userOfIdToken } from './assertions.js';
import type { Authority, Grant } from './authority.js';
import { type ClientRequest, clientOf } from './client-authentication.js';
import { needed, words } from './form.js';
import { checkResource, newGrant, requestedAccess, someResources, someScopes } from './granted-access.js';
import { check, OauthProblem, type RecordedAuthorizationRequest } from './messages.js';
import { grantTypes } from './settings.js';
import { issueTokens, makeToken, newRefreshToken, tokenMembers } from './tokens.js';

/** Returns the body of the token response. */
type GrantHandler = (request: ClientRequest, authority: Authority) => Promise<JsonObject>;

/** By `grant_type`. */
export const grants: ReadonlyMap<string, GrantHandler> = new Map([
  [grantTypes.code, authorizationCodeGrant],
  [grantTypes.refresh, refreshTokenGrant],
  [grantTypes.clientCredentials, clientCredentialsGrant],
  [grantTypes.jwtBearer, jwtBearerGrant],
  [grantTypes.tokenExchange, tokenExchangeGrant],
  [grantTypes.device, deviceGrant],
]);

const invalidGrant = 'invalid_grant';

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
async function authorizationCodeGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { form, boundTo } = request;
  const code = authority.redeem(needed(form, 'code'), 'code', clientOf(request).clientId);
  // Set before all other checks, so that a code can be tried only once.
  code.spent = true;
  const { redirectUri, params } = code.grant.request as RecordedAuthorizationRequest;
  const isSame = (form.get('redirect_uri') ?? redirectUri) === redirectUri;
  check(isSame, invalidGrant, 'redirect_uri differs from the authorization request.');
  const verifier = needed(form, 'code_verifier');
  const isWhole = /^[\w.~-]{43,128}$/.test(verifier);
  check(isWhole, 'invalid_request', 'code_verifier must have 43 to 128 letters, digits or -._~.');
  const isRight = createHash('sha256').update(verifier).digest('base64url') === params.code_challenge;
  check(isRight, invalidGrant, 'code_verifier does not match the challenge.');
  const isBound = !params.dpop_jkt || params.dpop_jkt === boundTo;
  check(isBound, invalidGrant, 'The code is bound to another key.');
  return tokensForUser(code.grant, request, authority);
}

/** Issues the first tokens of a grant by a user. */
function tokensForUser(grant: Grant, request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { form, method, boundTo } = request;
  const resources = someResources(grant.resources, requestedAccess(form, authority).resources);
  if (method === 'none') grant.refreshKey = boundTo;
  const refreshToken = newRefreshToken(grant, clientOf(request), authority);
  return issueTokens({ grant, resources, boundTo, refreshToken }, authority);
}

/** https://www.rfc-editor.org/rfc/rfc8628#section-3.4 */
async function deviceGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { clientId } = clientOf(request);
  const code = needed(request.form, 'device_code');
  const device = authority.devices.get(code);
  const isTheirs = device?.request.clientId === clientId;
  check(device && isTheirs, invalidGrant, 'The device code is unknown, or was issued to another client.');
  const { outcome, expiresAt, polledAt = Number.NEGATIVE_INFINITY } = device;
  const now = authority.now();
  device.polledAt = now;
  check(now < expiresAt, 'expired_token', 'The device code has expired.');
  const isLateEnough = now - polledAt >= authority.settings.pollInterval;
  check(isLateEnough, 'slow_down', 'Two requests came within the interval.');
  check(outcome, 'authorization_pending', 'The user has not signed in yet.');
  authority.devices.delete(code);
  if (outcome instanceof OauthProblem) throw outcome;
  return tokensForUser(outcome, request, authority);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-6 */
async function refreshTokenGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const client = clientOf(request);
  const { form, boundTo } = request;
  const text = needed(form, 'refresh_token');
  const token = authority.redeem(text, 'refresh', client.clientId);
  const { grant } = token;
  const isBound = grant.refreshKey === undefined || grant.refreshKey === boundTo;
  check(isBound, invalidGrant, 'The refresh token is bound to another key.');
  const asked = requestedAccess(form, authority);
  const scopes = someScopes(grant.scopes, asked.scopes);
  const resources = someResources(grant.resources, asked.resources);
  const rotates = authority.settings.refreshTokens === 'rotating';
  if (rotates) token.spent = true;
  const refreshToken = rotates ? newRefreshToken(grant, client, authority) : text;
  return issueTokens({ grant, scopes, resources, boundTo, refreshToken }, authority);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
async function clientCredentialsGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { form, method, boundTo } = request;
  const client = clientOf(request);
  check(method !== 'none', 'unauthorized_client', 'A client without credentials cannot act for itself.');
  const parties = { client, user: undefined, grantType: grantTypes.clientCredentials };
  return issueTokens(
    { grant: newGrant(requestedAccess(form, authority), parties, authority), boundTo },
    authority,
  );
}

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.1 */
async function jwtBearerGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { form, client, boundTo } = request;
  const { isIdJag, subject, claims } = await trustedAssertion(needed(form, 'assertion'), authority);
  const grantType = grantTypes.jwtBearer;
  if (!isIdJag) {
    const parties = { client, user: undefined, grantType };
    const grant = newGrant(requestedAccess(form, authority), parties, authority);
    return issueTokens({ grant, subject, boundTo }, authority);
  }
  const isTheirs = claims.client_id === clientOf(request).clientId;
  check(isTheirs, invalidGrant, 'The assertion was issued to another client.');
  const named = [claims.resource].flat().filter((uri): uri is string => typeof uri === 'string');
  for (const uri of named) checkResource(uri, authority.settings.resources);
  const asked = words(form.get('scope'));
  const scopes = typeof claims.scope === 'string' ? someScopes(words(claims.scope), asked) : asked;
  // The assertion names the resource; the request may repeat it.
  const repeated = form.has('resource') ? requestedAccess(form, authority).resources : [];
  const resources = someResources(named, repeated);
  const grant = newGrant({ scopes, resources }, { client, user: subject, grantType }, authority);
  return issueTokens({ grant, boundTo }, authority);
}

const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';

/** Token type of the grant an identity provider issues for another authorization server. */
export const idJagType = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Exchanges an ID token of this server for an identity assertion grant at another authorization server.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2
 */
async function tokenExchangeGrant(request: ClientRequest, authority: Authority): Promise<JsonObject> {
  const { form } = request;
  const { clientId } = clientOf(request);
  const { settings } = authority;
  checkType(form, 'requested_token_type', idJagType);
  checkType(form, 'subject_token_type', idTokenType);
  const user = await userOfIdToken(needed(form, 'subject_token'), clientId, authority);
  const audience = needed(form, 'audience');
  const resource = [needed(form, 'resource'), ...form.getAll('resource').slice(1)];
  for (const uri of resource) checkResource(uri);
  const about = { clientId, grantType: grantTypes.tokenExchange };
  // The scopes belong to the other server and are unknown here.
  const scopes = settings.grantScopes(words(form.get('scope')), { ...about, user });
  const claims = {
    client_id: settings.idJagClient(clientId, audience),
    resource: resource.length > 1 ? resource : resource[0],
  };
  const token = { ...about, kind: 'id-jag', subject: user, audience, scopes, claims } as const;
  const members = tokenMembers(await makeToken(token, authority), scopes, authority);
  return { ...members, issued_token_type: idJagType, token_type: 'N_A' };
}

function checkType(form: URLSearchParams, name: string, type: string): void {
  check(needed(form, name) === type, 'invalid_request', `${name} must be ${type}.`);
}
