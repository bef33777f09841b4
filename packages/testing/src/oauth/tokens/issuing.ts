import type { JsonObject } from '@tenon/mcp-protocol';
import { type Authority, randomText, secondsOf } from '../authority/authority.js';
import type { Grant } from '../authority/token-store.js';
import { grantTypes } from '../http/form.js';
import type { TestClient } from '../options/behaviour.js';
import { signedJwt } from './jws.js';
import { audienceOf, claimsFor, headerFor } from './token-claims.js';

/** The tokens to issue. */
export interface Issue {
  readonly grant: Grant;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly resources: readonly string[];
  /** Thumbprint of the key the access token is bound to. */
  readonly boundTo: string | undefined;
  /** The refresh token to return unchanged, instead of a new one. */
  readonly refreshToken?: string | undefined;
}

/**
 * Returns the body of a token response.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 */
export async function issueTokens(issue: Issue, authority: Authority): Promise<JsonObject> {
  const { grant, scopes, boundTo, refreshToken } = issue;
  const claims = accessClaims(issue, authority);
  const text = await accessText(claims, authority);
  authority.tokens.add(text, { kind: 'access', grant, claims });
  const expiresIn = typeof claims.exp === 'number' ? claims.exp - secondsOf(authority.now()) : undefined;
  return {
    access_token: text,
    token_type: boundTo === undefined ? 'Bearer' : 'DPoP',
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scopes.includes('openid') &&
      grant.user !== undefined && { id_token: await idToken(issue, authority) }),
  };
}

/** Returns a new refresh token; undefined if the client gets none. */
export function newRefreshToken(grant: Grant, client: TestClient, authority: Authority): string | undefined {
  const { settings, tokens, now, issuer } = authority;
  const needsScope = settings.scopesSupported?.includes('offline_access') ?? false;
  const mayHave =
    settings.refreshTokens !== 'none' &&
    settings.grantTypes.includes(grantTypes.refresh) &&
    (client.grantTypes?.includes(grantTypes.refresh) ?? true) &&
    (!needsScope || grant.scopes.includes('offline_access'));
  if (!mayHave) return undefined;
  const text = randomText();
  const iat = secondsOf(now());
  const exp = secondsOf(now() + settings.lifetimes.refreshToken);
  tokens.add(text, { kind: 'refresh', grant, claims: { iss: issuer, client_id: client.clientId, iat, exp } });
  return text;
}

function accessClaims(issue: Issue, authority: Authority): JsonObject {
  const { grant, subject, scopes, resources, boundTo } = issue;
  const facts = {
    subject,
    clientId: grant.clientId,
    audience: audienceOf(resources, authority),
    scopes,
    ...(boundTo !== undefined && { more: { cnf: { jkt: boundTo } } }),
  };
  return claimsFor({ kind: 'access', clientId: grant.clientId, grantType: grant.type }, facts, authority);
}

async function accessText(claims: JsonObject, authority: Authority): Promise<string> {
  if (authority.settings.accessTokens === 'opaque') return randomText();
  return signedJwt({ header: headerFor('access', authority), claims }, authority.keys.current);
}

function idToken({ grant, subject }: Issue, authority: Authority): Promise<string> {
  const { clientId, type: grantType, nonce } = grant;
  const facts = {
    subject,
    clientId,
    audience: clientId ?? authority.issuer,
    scopes: [],
    ...(nonce !== undefined && { more: { nonce } }),
  };
  const claims = claimsFor({ kind: 'id', clientId, grantType }, facts, authority);
  return signedJwt({ header: headerFor('id', authority), claims }, authority.keys.current);
}
