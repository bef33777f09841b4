import { AuthError } from '../auth-error.js';
import { splitScopes } from '../discovery/scopes.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantTools } from '../oauth/grant.js';
import { postTokenRequest, type TokenEndpointOwner } from '../oauth/token-endpoint.js';

/** A SAML 2.0 assertion in base64url, as RFC 8693 requires. */
export interface SamlIdentity {
  readonly saml: string;
}

/** The identity of the user from the identity provider: an ID token or a SAML assertion. */
export type Identity = string | SamlIdentity;

export interface IdentityExchange {
  readonly provider: TokenEndpointOwner;
  readonly client: ClientInformation;
  readonly identity: Identity;
  /** The issuer that the identity assertion is for. */
  readonly audience: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'clock' | 'signal'>;
}

/** An identity assertion, which replaces the sign-in of the user at an authorization server. Used once and never stored. */
export interface IdentityGrant {
  readonly assertion: string;
  /** Scopes that the identity provider allows; undefined for all requested scopes. */
  readonly scopes: readonly string[] | undefined;
}

const grantType = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Exchanges an identity for an identity assertion to another authorization server.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2
 * @throws AuthError `denied` if the identity provider refuses, `unsupported` if it issues another type of token.
 */
export async function exchangeIdentity(exchange: IdentityExchange): Promise<IdentityGrant> {
  const { provider, client, identity, audience, resource, scopes, tools } = exchange;
  const isSaml = typeof identity !== 'string';
  const params = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: grantType,
    audience,
    resource,
    scope: scopes?.join(' '),
    subject_token: isSaml ? identity.saml : identity,
    subject_token_type: `urn:ietf:params:oauth:token-type:${isSaml ? 'saml2' : 'id_token'}`,
  };
  // An identity assertion is not an access token, so it is not bound to a key.
  const request = { server: provider, client, params, tools: { ...tools, dpop: undefined } };
  const response = await postTokenRequest(request);
  const origin = provider.tokenEndpoint?.origin;
  if (response.issuedTokenType !== grantType || response.tokenType.toLowerCase() !== 'n_a') {
    throw new AuthError('unsupported', `${origin} issued a token that is not an identity assertion grant.`);
  }
  return {
    assertion: response.token,
    scopes: grantedScopes(splitScopes(response.scopes, scopes), scopes, origin),
  };
}

/** Returns the requested scopes that were granted; ignores granted scopes that were not requested. */
function grantedScopes(
  granted: readonly string[] | undefined,
  asked: readonly string[] | undefined,
  origin: string | undefined,
): readonly string[] | undefined {
  if (granted === undefined || asked === undefined) return granted;
  const both = asked.filter((scope) => granted.includes(scope));
  if (both.length > 0 || asked.length === 0) return both;
  throw new AuthError('denied', `${origin} granted none of the requested scopes.`);
}
