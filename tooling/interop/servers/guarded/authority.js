import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { redirectUri } from '../../peers/sign-in.js';

/** The scopes of tokens. No user is granted `notes:rule`. */
export const scopes = { read: 'notes:read', write: 'notes:write', rule: 'notes:rule' };

/**
 * Starts an authorization server that signs in the user of `login_hint`, and refuses the user `deny`.
 *
 * @param {import('@tenon/mcp-testing/oauth').TestAuthorizationServerOptions} [options]
 */
export function startAuthority(options) {
  return startTestAuthorizationServer({
    user: ({ params }) => params.login_hint ?? 'unknown',
    grantScopes: (asked) => asked.filter((scope) => scope !== scopes.rule),
    fetch: async (url) => Response.json(documentAt(url)),
    ...options,
  });
}

/**
 * Returns the metadata document of a client, for any URL.
 *
 * @param {string} url
 */
function documentAt(url) {
  return {
    client_id: url,
    client_name: 'interop',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * Returns the number of token requests so far.
 *
 * @param {import('@tenon/mcp-testing/oauth').TestAuthorizationServer} authority
 */
export function askedOf(authority) {
  return {
    codes: authority.tokenRequests('authorization_code'),
    refreshes: authority.tokenRequests('refresh_token'),
    programs: authority.tokenRequests('client_credentials'),
  };
}
