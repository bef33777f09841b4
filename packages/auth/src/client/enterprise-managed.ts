import { optionRules, requireOptions, withDefaults } from '@tenon/mcp-session/internal';
import { EnterpriseManagedGrant, type IdentitySource } from './enterprise-managed-grant.js';
import { type IdentityProviderOptions, identityProvider } from './identity-provider.js';
import { OauthProvider } from './oauth-provider.js';
import { credentialRules, type OwnCredentials, requireCredentials } from './own-credentials.js';
import { defaultProviderLimits } from './provider-limits.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** A client of the authorization servers of an enterprise's MCP servers. */
export interface EnterpriseClient extends OwnCredentials {
  /**
   * The authorization server where the client was registered: it alone gets anything that proves who the client is. Without
   * it that is the first one that a server names, remembered in the store.
   */
  readonly issuer?: string | undefined;
}

/** Who says where users of an enterprise may go. */
export interface EnterpriseManagedOptions extends ProviderOptions {
  readonly idp: IdentityProviderOptions;
  /**
   * Gives the ID token, or the assertion of SAML, that the identity provider issued when the user signed in to this program. It goes
   * nowhere else than back there, and is not kept. Several users take several providers, or the option `account`.
   */
  readonly identity: IdentitySource;
  readonly client: EnterpriseClient;
}

/**
 * Signs in users of an enterprise at every server that their identity provider lets them use, without asking them again.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
 * @throws TypeError or RangeError for options that cannot work.
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
