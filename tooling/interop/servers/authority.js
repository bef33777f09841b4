import { startTestAuthorizationServer } from '@tenon/mcp-testing/oauth';
import { wayBack } from '../peers/sign-in.js';

/** What tokens may be good for. Nobody is granted `notes:rule`. */
export const scopes = { read: 'notes:read', write: 'notes:write', rule: 'notes:rule' };

/**
 * An authorization server that lets people in as whom they say they are, and turns `deny` away.
 *
 * @param {import('@tenon/mcp-testing/oauth').TestAuthorizationServerOptions} [options]
 */
export function startAuthority(options) {
  return startTestAuthorizationServer({
    user: ({ params }) => params.login_hint ?? 'nobody',
    grantScopes: (asked) => asked.filter((scope) => scope !== scopes.rule),
    fetch: async (url) => Response.json(documentAt(url)),
    ...options,
  });
}

/**
 * The metadata document of a client, wherever it is said to be.
 *
 * @param {string} url
 */
function documentAt(url) {
  return {
    client_id: url,
    client_name: 'interop',
    redirect_uris: [wayBack],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/**
 * What an authorization server was asked for so far.
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
