import type { JsonObject } from '@tenon/mcp-protocol';
import { type Authority, randomText, secondsOf } from '../authority/authority.js';
import type { ClaimsSubject, LifetimeOptions } from '../options/behaviour.js';

/** The subject, audience and contents of a token. */
export interface TokenFacts {
  readonly subject: string;
  readonly clientId: string | undefined;
  readonly audience: string | readonly string[];
  readonly scopes: readonly string[];
  /** In milliseconds. Default: the lifetime of its kind. */
  readonly lifetime?: number | undefined;
  /** Further claims. */
  readonly more?: JsonObject;
}

interface Kind {
  readonly typ: string;
  readonly lifetime: keyof LifetimeOptions;
  /** True if the token contains its client id. */
  readonly named: boolean;
}

const kinds: Readonly<Record<ClaimsSubject['kind'], Kind>> = {
  // https://www.rfc-editor.org/rfc/rfc9068#section-2
  access: { typ: 'at+jwt', lifetime: 'accessToken', named: true },
  // https://openid.net/specs/openid-connect-core-1_0.html#IDToken
  id: { typ: 'JWT', lifetime: 'idToken', named: false },
  // https://datatracker.ietf.org/doc/draft-ietf-oauth-identity-assertion-authz-grant/
  'id-jag': { typ: 'oauth-id-jag+jwt', lifetime: 'idJag', named: true },
};

/** Returns the claims of a token, as the behaviour changes them. */
export function claimsFor(subject: ClaimsSubject, facts: TokenFacts, authority: Authority): JsonObject {
  const { lifetime, named } = kinds[subject.kind];
  const { settings, issuer, now } = authority;
  const iat = secondsOf(now());
  const claims: JsonObject = {
    iss: issuer,
    sub: facts.subject,
    aud: facts.audience,
    ...(named && facts.clientId !== undefined && { client_id: facts.clientId }),
    ...(facts.scopes.length > 0 && subject.kind !== 'id' && { scope: facts.scopes.join(' ') }),
    iat,
    exp: secondsOf(now() + (facts.lifetime ?? settings.lifetimes[lifetime])),
    jti: randomText(),
    ...facts.more,
  };
  return settings.claims?.(claims, subject) ?? claims;
}

/** Returns the header of a token. */
export function headerFor(kind: ClaimsSubject['kind'], { keys }: Authority): JsonObject {
  return { kid: keys.current.kid, typ: kinds[kind].typ };
}

/** Returns the audience of tokens for these resources. */
export function audienceOf(
  resources: readonly string[],
  { settings, issuer }: Authority,
): string | readonly string[] {
  const [first = settings.audience ?? issuer, ...others] = resources;
  return others.length === 0 ? first : resources;
}
