import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantRequest, GrantTools } from '../oauth/grant.js';
import {
  canProve,
  credentialRules,
  type OwnCredentials,
  requireCredentials,
} from '../oauth/own-credentials.js';
import type { TokenSet } from '../oauth/token-set.js';
import { OauthProvider } from './oauth-provider.js';
import { PinnedGrant, requestPinned } from './pinned-grant.js';
import { type ProviderOptions, requireProviderOptions } from './provider-options.js';

/** Options of {@link clientCredentials}. */
export interface ClientCredentialsOptions extends ProviderOptions, OwnCredentials {
  /**
   * The authorization server of the registration: only this one receives the credentials. Default: the first one that a server
   * names, remembered in the store; set it if the program connects to servers that are not trusted.
   */
  readonly issuer?: string | undefined;
}

/**
 * Authorizes a program that acts for itself, such as a service or a pipeline, without a user. The program is registered by
 * hand, with a secret or, better, a key.
 * https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/oauth-client-credentials.mdx
 * @throws TypeError or RangeError if an option is invalid.
 */
export function clientCredentials(options: ClientCredentialsOptions): OauthProvider {
  requireProviderOptions(owner, options, credentialRules);
  requireCredentials(owner, options);
  if (!canProve(options)) {
    throw new TypeError(`${owner} requires a clientSecret or a key to authenticate the program.`);
  }
  return new OauthProvider({ grant: new ClientCredentialsGrant({ ...options, owner }), options });
}

const owner = 'clientCredentials()';

/**
 * The grant of a program that acts for itself, with its own credentials.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export class ClientCredentialsGrant extends PinnedGrant {
  readonly type = 'client_credentials';
  readonly extension = 'io.modelcontextprotocol/oauth-client-credentials';

  obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    return requestPinned({ request, client, tools }, { grant_type: this.type });
  }
}
