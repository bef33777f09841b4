import type { JsonObject } from '@tenon/mcp-protocol';
import type { Authority } from '../authority/authority.js';
import { asymmetricAlgs, signingAlg } from '../authority/signing-keys.js';
import type { TestAnswer } from '../http/answer.js';
import { grantTypes, idJagType } from '../http/form.js';
import type { DiscoveryForm } from '../options/behaviour.js';

/** Paths of the metadata by form. For an issuer without a path, both OpenID Connect forms have the same path. */
export function metadataPaths(issuerPath: string): ReadonlyMap<string, readonly DiscoveryForm[]> {
  const oidc = '/.well-known/openid-configuration';
  const oauth: [string, DiscoveryForm[]] = [
    `/.well-known/oauth-authorization-server${issuerPath}`,
    ['oauth'],
  ];
  if (issuerPath === '') return new Map([oauth, [oidc, ['oidc-inserted', 'oidc-appended']]]);
  return new Map([oauth, [oidc + issuerPath, ['oidc-inserted']], [issuerPath + oidc, ['oidc-appended']]]);
}

/** Answers a request for metadata. */
export function metadataAnswer(forms: readonly DiscoveryForm[], authority: Authority): TestAnswer {
  const { discovery, metadata } = authority.settings;
  if (!forms.some((form) => discovery.includes(form)))
    return { status: 404, body: { error: 'not_found', error_description: 'No metadata is served here.' } };
  const document = metadataOf(authority);
  return { status: 200, body: metadata?.(document) ?? document };
}

/** https://www.rfc-editor.org/rfc/rfc8414#section-2 */
function metadataOf({ issuer, endpoints, settings }: Authority): JsonObject {
  const { authMethods, scopesSupported, registration, dpop } = settings;
  const authentication = {
    token_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_methods_supported: authMethods.filter((method) => method !== 'none'),
    revocation_endpoint_auth_methods_supported: authMethods,
    ...(authMethods.includes('private_key_jwt') && {
      token_endpoint_auth_signing_alg_values_supported: asymmetricAlgs,
    }),
  };
  return {
    issuer,
    authorization_endpoint: endpoints.authorize,
    token_endpoint: endpoints.token,
    ...(registration !== 'off' && { registration_endpoint: endpoints.register }),
    jwks_uri: endpoints.jwks,
    introspection_endpoint: endpoints.introspect,
    revocation_endpoint: endpoints.revoke,
    ...(scopesSupported !== undefined && { scopes_supported: scopesSupported }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: settings.grantTypes,
    ...authentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.clientIdDocuments,
    ...(dpop !== 'off' && { dpop_signing_alg_values_supported: asymmetricAlgs }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [signingAlg],
    ...assertionsOf(settings),
  };
}

function assertionsOf({ grantTypes: taken, trustedIssuers }: Authority['settings']): JsonObject {
  const takesIdJag = trustedIssuers.some(({ kind = 'id-jag' }) => kind === 'id-jag');
  return {
    ...(taken.includes(grantTypes.tokenExchange) && {
      identity_chaining_requested_token_types_supported: [idJagType],
    }),
    ...(takesIdJag && {
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
    }),
  };
}
