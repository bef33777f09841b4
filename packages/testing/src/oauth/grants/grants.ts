import { createHash } from 'node:crypto';
import type { JsonObject } from '@tenon/mcp-protocol';
import { isUrl } from '@tenon/mcp-protocol/internal';
import type { Authority } from '../authority/authority.js';
import type { AuthorizationCode } from '../authority/granted-access.js';
import { OauthProblem, rejectionOf } from '../http/answer.js';
import { needed, words } from '../http/form.js';
import { grantTypes } from '../options/settings.js';
import { assertionRejected, type TrustedAssertion, trustedAssertion, userOfIdToken } from './assertions.js';
import { type GrantRequest, senderOf } from './client-authentication.js';
import { deviceGrant } from './device.js';
import {
  grantedScopes,
  requireResource,
  resourcesOf,
  someResources,
  someScopes,
} from './requested-access.js';
import { claimsFor, issueTokens, newRefreshToken, signedToken, tokenFacts } from './tokens.js';

/** Returns the body of the token response. */
export type GrantHandler = (request: GrantRequest, authority: Authority) => Promise<JsonObject>;

/** By `grant_type`. */
export const grants: ReadonlyMap<string, GrantHandler> = new Map([
  [grantTypes.code, authorizationCodeGrant],
  [grantTypes.refresh, refreshTokenGrant],
  [grantTypes.clientCredentials, clientCredentialsGrant],
  [grantTypes.jwtBearer, jwtBearerGrant],
  [grantTypes.tokenExchange, tokenExchangeGrant],
  [grantTypes.device, deviceGrant],
]);

const codeRejected = rejectionOf('invalid_grant', 'The code');
const refreshRejected = rejectionOf('invalid_grant', 'The refresh token');

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3 */
async function authorizationCodeGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { client, method } = senderOf(request.sender);
  const { form, boundTo } = request;
  const code = authority.codes.get(needed(form, 'code'));
  if (code === undefined || code.grant.revoked || code.grant.clientId !== client.clientId)
    throw codeRejected('it is unknown, or was issued to another client');
  const { grant } = code;
  if (code.used) {
    grant.revoked = true;
    throw codeRejected('it was used before; all tokens issued for it are revoked');
  }
  // Set before all other checks, so that a code can be tried only once.
  code.used = true;
  requireProofs(code, request, authority.now());
  const resources = someResources(grant.resources, form, authority);
  if (method === 'none') grant.refreshKey = boundTo;
  const refreshToken = newRefreshToken(grant, client, authority);
  return issueTokens({ grant, resources, boundTo, refreshToken }, authority);
}

function requireProofs(code: AuthorizationCode, { form, boundTo }: GrantRequest, now: number): void {
  const { request, expiresAt } = code;
  const { code_challenge: challenge, dpop_jkt: codeKey } = request.params;
  if (expiresAt <= now) throw codeRejected('it has expired');
  if ((form.get('redirect_uri') ?? request.redirectUri) !== request.redirectUri)
    throw codeRejected('redirect_uri differs from the authorization request');
  const verifier = needed(form, 'code_verifier');
  if (!/^[\w.~-]{43,128}$/.test(verifier))
    throw new OauthProblem('invalid_request', 'code_verifier must have 43 to 128 letters, digits or -._~.');
  if (createHash('sha256').update(verifier).digest('base64url') !== challenge)
    throw codeRejected('code_verifier does not match the challenge');
  if (codeKey && codeKey !== boundTo) throw codeRejected('it is bound to another key');
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-6 */
async function refreshTokenGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { client } = senderOf(request.sender);
  const { form, boundTo } = request;
  const text = needed(form, 'refresh_token');
  const token = authority.tokens.get(text);
  if (token?.kind !== 'refresh' || token.grant.clientId !== client.clientId)
    throw refreshRejected('it is unknown, or was issued to another client');
  const { grant } = token;
  if (token.spent && !grant.revoked) {
    grant.revoked = true;
    throw refreshRejected('it was used before; all tokens of its family are revoked');
  }
  if (!authority.isActive(token)) throw refreshRejected('it has expired or was revoked');
  if (grant.refreshKey !== undefined && grant.refreshKey !== boundTo)
    throw refreshRejected('it is bound to another key');
  const scopes = someScopes(grant.scopes, words(form.get('scope')));
  const resources = someResources(grant.resources, form, authority);
  const rotates = authority.settings.refreshTokens === 'rotating';
  if (rotates) token.spent = true;
  const refreshToken = rotates ? newRefreshToken(grant, client, authority) : text;
  return issueTokens({ grant, scopes, resources, boundTo, refreshToken }, authority);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-4.4 */
async function clientCredentialsGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { form, boundTo } = request;
  const { client, method } = senderOf(request.sender);
  if (method === 'none')
    throw new OauthProblem('unauthorized_client', 'A client without credentials cannot act for itself.');
  const about = { clientId: client.clientId, user: undefined, grantType: grantTypes.clientCredentials };
  const scopes = grantedScopes(words(form.get('scope')), { ...about, allowed: client.scopes }, authority);
  const grant = { ...about, scopes, resources: resourcesOf(form, authority) };
  return issueTokens({ grant, boundTo }, authority);
}

/** https://www.rfc-editor.org/rfc/rfc7523#section-2.1 */
async function jwtBearerGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { form, sender, boundTo } = request;
  const assertion = await trustedAssertion(needed(form, 'assertion'), authority);
  const { sub: subject } = assertion.claims;
  const isIdJag = assertion.kind === 'id-jag';
  const asked = isIdJag
    ? askedByIdJag(assertion, request, authority)
    : { scopes: words(form.get('scope')), resources: resourcesOf(form, authority) };
  const user = isIdJag ? subject : undefined;
  const about = { clientId: sender?.client.clientId, user, grantType: grantTypes.jwtBearer };
  const scopes = grantedScopes(asked.scopes, { ...about, allowed: sender?.client.scopes }, authority);
  const grant = { ...about, scopes, resources: asked.resources };
  return issueTokens({ grant, subject, boundTo }, authority);
}

function askedByIdJag({ claims }: TrustedAssertion, request: GrantRequest, authority: Authority) {
  const { form } = request;
  if (claims.client_id !== senderOf(request.sender).client.clientId)
    throw assertionRejected('it was issued to another client');
  const named = [claims.resource].flat().filter((uri): uri is string => typeof uri === 'string');
  for (const uri of named) requireResource(uri, authority);
  const asked = words(form.get('scope'));
  return {
    scopes: typeof claims.scope === 'string' ? someScopes(words(claims.scope), asked) : asked,
    // The assertion names the resource; the request may repeat it.
    resources: form.has('resource') ? someResources(named, form, authority) : named,
  };
}

const idTokenType = 'urn:ietf:params:oauth:token-type:id_token';

/** Token type of the grant an identity provider issues for another authorization server. */
export const idJagType = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Exchanges an ID token of this server for an identity assertion grant at another authorization server.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2
 */
async function tokenExchangeGrant(request: GrantRequest, authority: Authority): Promise<JsonObject> {
  const { form } = request;
  const { clientId } = senderOf(request.sender).client;
  const { settings } = authority;
  requireType(form, 'requested_token_type', idJagType);
  requireType(form, 'subject_token_type', idTokenType);
  const user = await userOfIdToken(needed(form, 'subject_token'), clientId, authority);
  const audience = needed(form, 'audience');
  const [resource, ...others] = targets(form);
  const about = { clientId, grantType: grantTypes.tokenExchange };
  // The scopes belong to the other server and are unknown here.
  const scopes = settings.grantScopes(words(form.get('scope')), { ...about, user });
  const facts = {
    subject: user,
    clientId: settings.idJagClient(clientId, audience),
    audience,
    scopes,
    more: { resource: others.length > 0 ? [resource, ...others] : resource },
  };
  const claims = claimsFor({ kind: 'id-jag', ...about }, facts, authority);
  return {
    issued_token_type: idJagType,
    access_token: await signedToken('id-jag', claims, authority),
    token_type: 'N_A',
    ...tokenFacts(claims, scopes, authority),
  };
}

function targets(form: URLSearchParams): readonly [string, ...string[]] {
  const [first, ...others] = form.getAll('resource');
  if (first === undefined) throw exchangeRejected('resource is missing');
  if ([first, ...others].some((uri) => !isUrl(uri) || uri.includes('#')))
    throw new OauthProblem('invalid_target', 'resource must be an absolute URI without a fragment.');
  return [first, ...others];
}

const exchangeRejected = rejectionOf('invalid_request', 'The exchange');

function requireType(form: URLSearchParams, name: string, type: string): void {
  if (needed(form, name) !== type) throw exchangeRejected(`${name} must be ${type}`);
}
