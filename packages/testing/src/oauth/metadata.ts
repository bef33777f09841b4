import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from './authority/authority.js';
import { signingAlg } from './authority/signed-jwt.js';
import { asymmetricAlgs } from './grants/assertions.js';
import { idJagType } from './grants/grants.js';
import { oauthError, type TestAnswer } from './http/answer.js';
import type { DiscoveryForm } from './options/behaviour.js';
import { grantTypes } from './options/settings.js';

/** Returns the paths of the metadata. For an issuer without a path, both OpenID Connect forms have the same path. */
export function metadataPaths(issuerPath: string): ReadonlyMap<string, readonly DiscoveryForm[]> {
  const [oauth, oidc] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  const paths = new Map<string, readonly DiscoveryForm[]>([[oauth + issuerPath, ['oauth']]]);
  if (issuerPath === '') return paths.set(oidc, ['oidc-inserted', 'oidc-appended']);
  return paths.set(oidc + issuerPath, ['oidc-inserted']).set(issuerPath + oidc, ['oidc-appended']);
}

/** Answers a request for metadata. */
export function metadataAnswer(forms: readonly DiscoveryForm[], authority: Authority): TestAnswer {
  const { discovery, metadata } = authority.settings;
  if (!forms.some((form) => discovery.includes(form)))
    return oauthError('not_found', 'No metadata is served here.', 404);
  return { status: 200, body: metadata(metadataOf(authority)) };
}

/** https://www.rfc-editor.org/rfc/rfc8414#section-2 */
function metadataOf({ issuer, tokenEndpoint, settings }: Authority): JsonObject {
  const { authMethods, scopesSupported, registration, dpop, trustedIssuers } = settings;
  const takesIdJag = trustedIssuers.some(({ kind = 'id-jag' }) => kind === 'id-jag');
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: tokenEndpoint,
    ...(registration !== 'off' && { registration_endpoint: `${issuer}/register` }),
    jwks_uri: `${issuer}/jwks`,
    ...(settings.grantTypes.includes(grantTypes.device) && {
      device_authorization_endpoint: `${issuer}/device`,
    }),
    introspection_endpoint: `${issuer}/introspect`,
    revocation_endpoint: `${issuer}/revoke`,
    ...(scopesSupported !== undefined && { scopes_supported: scopesSupported }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: settings.grantTypes,
    token_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods.filter((method) => method !== 'none'),
    revocation_endpoint_auth_methods_supported: authMethods,
    ...(authMethods.includes('private_key_jwt') && {
      token_endpoint_auth_signing_alg_values_supported: asymmetricAlgs,
    }),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.clientIdDocuments,
    ...(dpop !== 'off' && { dpop_signing_alg_values_supported: asymmetricAlgs }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlg],
    ...(settings.grantTypes.includes(grantTypes.tokenExchange) && {
      identity_chaining_requested_token_types_supported: [idJagType],
    }),
    ...(takesIdJag && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
  };
}
