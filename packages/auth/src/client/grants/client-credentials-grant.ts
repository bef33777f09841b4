import type { ClientInformation } from '../registration/client-information.js';
import type { TokenSet } from '../tokens/token-set.js';
import type { GrantRequest, GrantTools } from './grant.js';
import { PinnedGrant, requestPinned } from './pinned-grant.js';

/**
 * The grant of a program that acts for itself, with its own credentials.
 * https://www.rfc-editor.org/rfc/rfc6749#section-4.4
 */
export class ClientCredentialsGrant extends PinnedGrant {
  readonly type = 'client_credentials';
  readonly extension = 'io.modelcontextprotocol/oauth-client-credentials';

  obtain(request: GrantRequest, client: ClientInformation, tools: GrantTools): Promise<TokenSet> {
    const { resource, scopes } = request;
    return requestPinned(
      { request, client, tools },
      { grant_type: this.type, scope: scopes?.join(' '), resource },
    );
  }
}
