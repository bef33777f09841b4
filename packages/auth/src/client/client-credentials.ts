import { ClientCredentialsGrant } from './client-credentials-grant.js';
import { OauthProvider } from './oauth-provider.js';
import { canProve, credentialRules, type OwnCredentials, requireCredentials } from './own-credentials.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** Who a program is that acts on its own. */
export interface ClientCredentialsOptions extends ProviderOptions, OwnCredentials {
  /**
   * The authorization server where the client was registered: it alone gets anything that proves who the client is. Without
   * it that is the first one that a server names, remembered in the store; whoever may connect to servers that are not
   * trusted gives it.
   */
  readonly issuer?: string | undefined;
}

/**
 * Signs in a program that acts on its own, such as a service or a pipeline: nobody is asked. It is registered by hand, with a
 * secret or, better, a key.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx
 * @throws TypeError or RangeError for options that cannot work.
 */
export function clientCredentials(options: ClientCredentialsOptions): OauthProvider {
  requireProviderOptions(owner, options, credentialRules);
  requireCredentials(owner, options);
  if (!canProve(options)) {
    throw new TypeError(`${owner} takes a clientSecret or a key: nobody else vouches for the program.`);
  }
  return new OauthProvider({ grant: new ClientCredentialsGrant({ ...options, owner }), options });
}

const owner = 'clientCredentials()';
