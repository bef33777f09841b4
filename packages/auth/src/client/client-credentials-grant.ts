import type { ClientInformation } from './client-information.js';
import type { GrantRequest, GrantTools } from './grant.js';
import { PinnedGrant, requestPinned } from './pinned-grant.js';
import type { TokenSet } from './token-set.js';

/**
 * A program that acts on its own.
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
