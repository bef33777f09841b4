import { optionRules, requireOptions, withDefaults } from '@tenon/foundation';
import { credentialRules, type OwnCredentials, requireCredentials } from '../oauth/own-credentials.js';
import { EnterpriseManagedGrant, type IdentitySource } from './enterprise-managed-grant.js';
import { type IdentityProviderOptions, identityProvider } from './identity-provider.js';
import { OauthProvider } from './oauth-provider.js';
import { defaultProviderLimits, type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** A client that is registered at the authorization servers of the MCP servers of an enterprise. */
export interface EnterpriseClient extends OwnCredentials {
  /**
   * The authorization server of the registration: only this one receives the credentials. Default: the first one that a server
   * names, remembered in the store.
   */
  readonly issuer?: string | undefined;
}

/** Options of {@link enterpriseManaged}. */
export interface EnterpriseManagedOptions extends ProviderOptions {
  readonly idp: IdentityProviderOptions;
  /**
   * Returns the ID token or SAML assertion that the identity provider issued when the user signed in to this program. It is sent
   * only to that provider, and not stored. For several users, make one provider each, or set the option `account`.
   */
  readonly identity: IdentitySource;
  readonly client: EnterpriseClient;
}

/**
 * Authorizes users of an enterprise at every server that their identity provider allows, without a further sign-in.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 * @throws TypeError or RangeError if an option is invalid.
 */
export function enterpriseManaged(options: EnterpriseManagedOptions): OauthProvider {
  requireProviderOptions(owner, options, {
    idp: optionRules.object,
    identity: optionRules.callable,
    client: optionRules.object,
  });
  const { idp, identity, client, fetch, allow, clock } = options;
  for (const [name, value] of Object.entries({ idp, identity, client })) {
    if (value === undefined) throw new TypeError(`${owner}: ${name} is missing.`);
  }
  requireOptions<EnterpriseClient>(`${owner}: client`, client, credentialRules);
  requireCredentials(`${owner}: client`, client);
  const { answerBytes: bytes, answerTimeout: timeout } = withDefaults(defaultProviderLimits, options.limits);
  const reach = { fetch, allow, clock, limits: { bytes, timeout } };
  const provider = identityProvider(`${owner}: idp`, idp, reach);
  const grant = new EnterpriseManagedGrant({ provider, identity, client: { ...client, owner } });
  return new OauthProvider({ grant, options });
}

const owner = 'enterpriseManaged()';
