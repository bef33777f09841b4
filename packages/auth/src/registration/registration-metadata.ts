import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from '../discovery/authorization-server.js';
import type { ClientAuthMethod } from '../oauth/client-information.js';
import type { Interaction } from '../oauth/interaction.js';
import type { ClientMetadata } from './client-identity.js';

/** https://www.rfc-editor.org/rfc/rfc8628#section-3.4 */
export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';

/** The use of a client, in the terms of a registration. */
export interface ClientUse {
  /** The grants, such as `authorization_code`, without `refresh_token`. */
  readonly grantTypes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly applicationType: Interaction['applicationType'];
  readonly authMethod: ClientAuthMethod;
  /** True if the client is going to refresh tokens. */
  readonly refreshes: boolean;
  /** Scopes that the client is going to request; the scopes in its metadata replace them. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Returns the metadata of a client with the member names of RFC 7591.
 * https://www.rfc-editor.org/rfc/rfc7591#section-2
 */
export function registrationMetadata(client: ClientMetadata, use: ClientUse): Record<string, unknown> {
  const { grantTypes } = use;
  const isCode = grantTypes.includes('authorization_code');
  const members = {
    client_name: client.name,
    client_uri: client.uri,
    logo_uri: client.logoUri,
    policy_uri: client.policyUri,
    tos_uri: client.termsUri,
    contacts: client.contacts,
    software_id: client.softwareId,
    software_version: client.softwareVersion,
    scope: (client.scopes ?? use.scopes)?.join(' '),
    redirect_uris: isCode ? use.redirectUris : undefined,
    grant_types: use.refreshes ? [...grantTypes, 'refresh_token'] : grantTypes,
    response_types: isCode ? ['code'] : [],
    token_endpoint_auth_method: use.authMethod,
    application_type: use.applicationType,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Methods for a client without a secret yet, the simplest first. */
const simplestFirst = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** True for an authentication method of clients that are registered dynamically. */
export function isRegistrable(method: unknown): method is ClientAuthMethod {
  return simplestFirst.some((one) => one === method);
}

/**
 * Returns the authentication method to register a client for.
 * @throws AuthError `unsupported` if the server accepts none of them.
 */
export function registrationMethod({
  issuer,
  tokenEndpointAuthMethods,
}: AuthorizationServer): ClientAuthMethod {
  const method = simplestFirst.find((one) => tokenEndpointAuthMethods.includes(one));
  if (method !== undefined) return method;
  throw new AuthError(
    'unsupported',
    `${issuer} accepts no authentication method of dynamically registered clients (it accepts ${tokenEndpointAuthMethods.slice(0, 8).join(', ').slice(0, 200)}): register the client there by hand.`,
  );
}

/** True unless the metadata of the server lists grants without `refresh_token`. */
export function refreshesAt({ grantTypesSupported }: AuthorizationServer): boolean {
  return grantTypesSupported?.includes('refresh_token') ?? true;
}
