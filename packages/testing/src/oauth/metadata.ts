import type { JsonObject, JsonValue } from '@tenon/mcp-protocol';
import { asymmetricAlgs } from './assertions.js';
import type { Authority } from './authority.js';
import type { DiscoveryForm } from './behaviour.js';
import { idJagType } from './grants.js';
import { defined, oauthError, type RecordedRequest, type TestAnswer } from './messages.js';
import { grantTypes } from './settings.js';
import { signingAlg } from './signed-jwt.js';

/** Returns the paths of the metadata of an issuer with the path `base`. */
export function metadataPaths(base: string): Readonly<Record<DiscoveryForm, string>> {
  return {
    oauth: `/.well-known/oauth-authorization-server${base}`,
    'oidc-inserted': `/.well-known/openid-configuration${base}`,
    'oidc-appended': `${base}/.well-known/openid-configuration`,
  };
}

/** Answers a request for metadata. */
export function metadataAnswer({ url }: RecordedRequest, authority: Authority): TestAnswer {
  const { discovery, metadata, path: base } = authority.settings;
  const [path] = url.split('?');
  if (!discovery.some((form) => metadataPaths(base)[form] === path))
    return oauthError('not_found', 'No metadata is served here.', 404);
  return { status: 200, body: metadata(metadataOf(authority)) };
}

/** https://www.rfc-editor.org/rfc/rfc8414#section-2 */
function metadataOf({ issuer, tokenEndpoint, settings }: Authority): JsonObject {
  const { authMethods, grantTypes: grants } = settings;
  const only = <T>(condition: boolean, value: T) => (condition ? value : undefined);
  const takesIdJag = settings.trustedIssuers.some(({ kind = 'id-jag' }) => kind === 'id-jag');
  return defined<JsonValue>({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: tokenEndpoint,
    registration_endpoint: only(settings.registration !== 'off', `${issuer}/register`),
    jwks_uri: `${issuer}/jwks`,
    device_authorization_endpoint: only(grants.includes(grantTypes.device), `${issuer}/device`),
    introspection_endpoint: `${issuer}/introspect`,
    revocation_endpoint: `${issuer}/revoke`,
    scopes_supported: settings.scopesSupported,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grants,
    token_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods.filter((method) => method !== 'none'),
    revocation_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: only(
      authMethods.includes('private_key_jwt'),
      asymmetricAlgs,
    ),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.clientIdDocuments,
    dpop_signing_alg_values_supported: only(settings.dpop !== 'off', asymmetricAlgs),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlg],
    identity_chaining_requested_token_types_supported: only(grants.includes(grantTypes.tokenExchange), [
      idJagType,
    ]),
    authorization_grant_profiles_supported: only(takesIdJag, ['urn:ietf:params:oauth:grant-profile:id-jag']),
  });
}
