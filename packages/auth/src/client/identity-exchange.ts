import { AuthError } from '../auth-error.js';
import type { ClientInformation } from './client-information.js';
import type { GrantTools } from './grant.js';
import { apart } from './scopes.js';
import { askTokenEndpoint, type TokenEndpointOwner } from './token-endpoint.js';

/** An assertion of SAML 2.0, in base64url as RFC 8693 wants it. */
export interface SamlIdentity {
  readonly saml: string;
}

/** Who the user is, as the identity provider said when he signed in: an ID token, or an assertion of SAML. */
export type Identity = string | SamlIdentity;

/** What is to be had for an identity. */
export interface IdentityExchange {
  readonly provider: TokenEndpointOwner;
  readonly client: ClientInformation;
  readonly identity: Identity;
  /** Issuer that the grant is for. */
  readonly audience: string;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'clock' | 'signal'>;
}

/** What an authorization server takes in place of a user who signs in: good for one token, and never kept. */
export interface IdentityGrant {
  readonly assertion: string;
  /** Scopes the identity provider lets through; undefined for those that were asked for. */
  readonly scopes: readonly string[] | undefined;
}

const grantType = 'urn:ietf:params:oauth:token-type:id-jag';

/**
 * Has an identity provider say to an authorization server who the user is.
 * https://www.rfc-editor.org/rfc/rfc8693#section-2
 * @throws AuthError `denied` when the identity provider says no, `unsupported` when it grants something else.
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
  // What is granted here is no token: there is nothing to bind to a key.
  const request = { server: provider, client, params, tools: { ...tools, dpop: undefined } };
  const response = await askTokenEndpoint(request);
  const origin = provider.tokenEndpoint?.origin;
  if (response.issuedTokenType !== grantType || response.tokenType.toLowerCase() !== 'n_a') {
    throw new AuthError('unsupported', `${origin} issued something else than an identity assertion grant.`);
  }
  return { assertion: response.token, scopes: grantedScopes(apart(response.scopes, scopes), scopes, origin) };
}

/** Of the scopes that were asked for, those that are let through; never others. */
function grantedScopes(
  granted: readonly string[] | undefined,
  asked: readonly string[] | undefined,
  origin: string | undefined,
): readonly string[] | undefined {
  if (granted === undefined || asked === undefined) return granted;
  const both = asked.filter((scope) => granted.includes(scope));
  if (both.length > 0 || asked.length === 0) return both;
  throw new AuthError('denied', `${origin} lets through none of the scopes that are asked for.`);
}
