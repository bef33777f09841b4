import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { type Authority, randomText, secondsOf } from '../authority/authority.js';
import type { Grant } from '../authority/granted-access.js';
import { signedJwt } from '../authority/signed-jwt.js';
import { defined } from '../http/answer.js';
import type { ClaimsSubject, LifetimeOptions, TestClient } from '../options/behaviour.js';
import { grantTypes } from '../options/settings.js';
import type { TokenToIssue } from '../options/token-to-issue.js';

/** The contents of a token. */
export interface TokenFacts {
  readonly subject: string;
  /** Default: the client of the grant. */
  readonly clientId?: string;
  readonly audience: string | readonly string[];
  readonly scopes?: readonly string[];
  /** In milliseconds. Default: the lifetime of its kind. */
  readonly lifetime?: number | undefined;
  /** Further claims. */
  readonly more?: Readonly<Record<string, JsonValue | undefined>>;
}

type Kind = ClaimsSubject['kind'];

const kinds: Readonly<Record<Kind, { readonly typ: string; readonly lifetime: keyof LifetimeOptions }>> = {
  // https://www.rfc-editor.org/rfc/rfc9068#section-2
  access: { typ: 'at+jwt', lifetime: 'accessToken' },
  // https://openid.net/specs/openid-connect-core-1_0.html#IDToken
  id: { typ: 'JWT', lifetime: 'idToken' },
  // https://datatracker.ietf.org/doc/draft-ietf-oauth-identity-assertion-authz-grant/
  'id-jag': { typ: 'oauth-id-jag+jwt', lifetime: 'idJag' },
};

/** Returns the claims of a token, as the behaviour changes them. */
export function claimsFor(about: ClaimsSubject, facts: TokenFacts, authority: Authority): JsonObject {
  const { settings, issuer, now } = authority;
  const { subject, clientId = about.clientId, audience, scopes = [], more } = facts;
  const { lifetime = settings.lifetimes[kinds[about.kind].lifetime] } = facts;
  const claims = defined<JsonValue>({
    iss: issuer,
    sub: subject,
    aud: audience,
    client_id: about.kind === 'id' ? undefined : clientId,
    scope: scopes.join(' ') || undefined,
    iat: secondsOf(now()),
    exp: secondsOf(now() + lifetime),
    jti: randomText(),
    ...more,
  });
  return settings.claims(claims, about);
}

/** Returns a token of this kind, signed with the current key. */
export function signedToken(kind: Kind, claims: JsonObject, authority: Authority): Promise<string> {
  return signedJwt({ header: headerFor(kind, authority), claims }, authority.keys[0]);
}

/** Returns the members of a token response that follow from the claims and the scopes of its token. */
export function tokenFacts({ exp }: JsonObject, scopes: readonly string[], { now }: Authority): JsonObject {
  const lifetime = typeof exp === 'number' ? exp - secondsOf(now()) : undefined;
  return defined<JsonValue>({ expires_in: lifetime, scope: scopes.join(' ') || undefined });
}

/** The tokens to issue. */
export interface Issue {
  readonly grant: Grant;
  /** Default: the user, or else the client, of the grant. */
  readonly subject?: string;
  /** Default: those of the grant. */
  readonly scopes?: readonly string[];
  /** Default: those of the grant. */
  readonly resources?: readonly string[];
  /** Thumbprint of the key the access token is bound to. */
  readonly boundTo: string | undefined;
  readonly refreshToken?: string | undefined;
}

/**
 * Returns the body of a token response.
 * https://www.rfc-editor.org/rfc/rfc6749#section-5.1
 */
export async function issueTokens(issue: Issue, authority: Authority): Promise<JsonObject> {
  const { grant, boundTo, refreshToken } = issue;
  const { clientId, user, nonce, grantType } = grant;
  const { subject = user ?? clientId ?? '', scopes = grant.scopes, resources = grant.resources } = issue;
  const audience = audienceOf(resources, authority);
  const more = { cnf: boundTo === undefined ? undefined : { jkt: boundTo } };
  const about = { kind: 'access', clientId, grantType } as const;
  const claims = claimsFor(about, { subject, audience, scopes, more }, authority);
  const isOpaque = authority.settings.accessTokens === 'opaque';
  const text = isOpaque ? randomText() : await signedToken('access', claims, authority);
  authority.tokens.set(text, { kind: 'access', grant, claims });
  const answer = {
    access_token: text,
    token_type: boundTo === undefined ? 'Bearer' : 'DPoP',
    ...tokenFacts(claims, scopes, authority),
    ...defined({ refresh_token: refreshToken }),
  };
  if (!scopes.includes('openid') || user === undefined) return answer;
  const facts = { subject, audience: clientId ?? authority.issuer, more: { nonce } };
  const idClaims = claimsFor({ kind: 'id', clientId, grantType }, facts, authority);
  return { ...answer, id_token: await signedToken('id', idClaims, authority) };
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
  tokens.set(text, { kind: 'refresh', grant, claims: { iss: issuer, client_id: client.clientId, iat, exp } });
  return text;
}

/** Issues a token for a test. Only tokens with a valid signature are stored, so only those can be introspected. */
export async function mintToken(token: TokenToIssue, authority: Authority): Promise<string> {
  const { kind = 'access', subject = 'user', clientId = 'client', scopes = [], signature = 'right' } = token;
  const { audience = kind === 'id' ? clientId : audienceOf([], authority), lifetime } = token;
  const facts = { subject, audience, scopes: kind === 'id' ? [] : scopes, lifetime };
  const whole = claimsFor({ kind, clientId, grantType: 'minted' }, facts, authority);
  const claims = defined({ ...whole, ...token.claims });
  const header = defined({ ...headerFor(kind, authority), ...token.header });
  const isOpaque = kind === 'access' && (token.format ?? authority.settings.accessTokens) === 'opaque';
  const text = isOpaque ? randomText() : await signedJwt({ header, claims }, authority.keys[0], signature);
  if (kind === 'access' && signature === 'right') {
    const grant = { grantType: 'minted', clientId, user: subject, scopes, resources: [] };
    authority.tokens.set(text, { kind, grant, claims });
  }
  return text;
}

function headerFor(kind: Kind, { keys }: Authority): JsonObject {
  return { kid: keys[0].jwk.kid ?? '', typ: kinds[kind].typ };
}

/** Returns the audience of tokens for these resources. */
function audienceOf(resources: readonly string[], { settings, issuer }: Authority): TokenFacts['audience'] {
  const [first = settings.audience ?? issuer, ...others] = resources;
  return others.length === 0 ? first : resources;
}
