import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { type Authority, type Grant, randomText } from './authority.js';
import type { ClaimsSubject, LifetimeOptions, TestClient } from './behaviour.js';
import { defined } from './messages.js';
import { grantTypes } from './settings.js';
import { signedJwt } from './signed-jwt.js';
import type { TokenToIssue } from './test-authorization-server.js';

const kinds: Readonly<
  Record<ClaimsSubject['kind'], { readonly typ: string; readonly lives: keyof LifetimeOptions }>
> = {
  // https://www.rfc-editor.org/rfc/rfc9068#section-2
  access: { typ: 'at+jwt', lives: 'accessToken' },
  // https://openid.net/specs/openid-connect-core-1_0.html#IDToken
  id: { typ: 'JWT', lives: 'idToken' },
  // https://datatracker.ietf.org/doc/draft-ietf-oauth-identity-assertion-authz-grant/
  'id-jag': { typ: 'oauth-id-jag+jwt', lives: 'idJag' },
};

/** A token to make, without the defaults that tests have. */
type Token = { readonly [Name in keyof TokenToIssue]: TokenToIssue[Name] | undefined } & {
  readonly grantType: string;
};

/** A token that was made: its text, and the claims that the text or introspection shows. */
interface MadeToken {
  readonly text: string;
  readonly claims: JsonObject;
}

/** Makes a token, with claims as the behaviour changes them. */
export async function makeToken(token: Token, authority: Authority): Promise<MadeToken> {
  const { settings, issuer, keys } = authority;
  const { kind = 'access', clientId, grantType, audience, scopes = [] } = token;
  const { format = settings.accessTokens, lifetime = settings.lifetimes[kinds[kind].lives] } = token;
  const isId = kind === 'id';
  const usual = defined<JsonValue>({
    iss: issuer,
    sub: token.subject,
    aud: audience ?? (isId ? clientId : undefined) ?? settings.audience ?? issuer,
    client_id: isId ? undefined : clientId,
    scope: (!isId && scopes.join(' ')) || undefined,
    iat: authority.seconds(),
    exp: authority.seconds(lifetime),
    jti: randomText(),
    ...token.claims,
  });
  const claims = settings.claims(usual, { kind, clientId, grantType });
  if (kind === 'access' && format === 'opaque') return { text: randomText(), claims };
  const header = defined({ kid: keys[0].jwk.kid, typ: kinds[kind].typ, ...token.header });
  return { text: await signedJwt({ header, claims }, keys[0], token.signature), claims };
}

/** Returns the members of a token response that describe a token. */
export function tokenMembers(
  { text, claims: { exp } }: MadeToken,
  scopes: readonly string[],
  authority: Authority,
): JsonObject {
  const lifetime = typeof exp === 'number' ? exp - authority.seconds() : undefined;
  const scope = scopes.join(' ') || undefined;
  return defined<JsonValue>({ access_token: text, expires_in: lifetime, scope });
}

/** The tokens to issue. */
interface Issue {
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
  const { clientId, user, grantType } = grant;
  const { subject = user ?? clientId ?? '', scopes = grant.scopes, resources = grant.resources } = issue;
  const about = { clientId, grantType, subject };
  const audience = resources.length > 1 ? resources : resources[0];
  const cnf = boundTo === undefined ? undefined : { jkt: boundTo };
  const access = await makeToken({ ...about, audience, scopes, claims: { cnf } }, authority);
  authority.tokens.set(access.text, { kind: 'access', grant, claims: access.claims });
  const answer = {
    ...tokenMembers(access, scopes, authority),
    token_type: boundTo === undefined ? 'Bearer' : 'DPoP',
    ...defined({ refresh_token: refreshToken }),
  };
  if (!scopes.includes('openid') || user === undefined) return answer;
  const nonce = grant.request?.params.nonce || undefined;
  const idToken = await makeToken({ ...about, kind: 'id', claims: { nonce } }, authority);
  return { ...answer, id_token: idToken.text };
}

/** Returns a new refresh token; undefined if the client gets none. */
export function newRefreshToken(grant: Grant, client: TestClient, authority: Authority): string | undefined {
  const { settings, tokens, issuer } = authority;
  const needsScope = settings.scopesSupported?.includes('offline_access') ?? false;
  const mayHave =
    settings.refreshTokens !== 'none' &&
    settings.grantTypes.includes(grantTypes.refresh) &&
    (client.grantTypes?.includes(grantTypes.refresh) ?? true) &&
    (!needsScope || grant.scopes.includes('offline_access'));
  if (!mayHave) return undefined;
  const text = randomText();
  const [iat, exp] = [authority.seconds(), authority.seconds(settings.lifetimes.refreshToken)];
  tokens.set(text, { kind: 'refresh', grant, claims: { iss: issuer, client_id: client.clientId, iat, exp } });
  return text;
}

/** Issues a token for a test. Only tokens with a valid signature are stored, so only those can be introspected. */
export async function mintToken(token: TokenToIssue, authority: Authority): Promise<string> {
  const { kind = 'access', subject = 'user', clientId = 'client', scopes = [], signature = 'right' } = token;
  const grant = { grantType: 'minted', clientId, user: subject, scopes, resources: [] };
  const { text, claims } = await makeToken({ ...token, ...grant, subject }, authority);
  if (kind === 'access' && signature === 'right') authority.tokens.set(text, { kind, grant, claims });
  return text;
}
