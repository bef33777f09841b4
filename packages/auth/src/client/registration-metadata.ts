import { AuthError } from '../auth-error.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { ClientMetadata } from './client-identity.js';
import type { ClientAuthMethod } from './client-information.js';
import type { Interaction } from './interaction.js';

/** What a client is going to do, as authorization servers want to know it. */
export interface ClientUse {
  /** Such as `authorization_code`. */
  readonly grantType: string;
  readonly redirectUris: readonly string[];
  readonly applicationType: Interaction['applicationType'];
  readonly authMethod: ClientAuthMethod;
  /** Tokens are to be refreshed. */
  readonly refreshes: boolean;
  /** Scopes that are going to be asked for; those that the client tells go before. */
  readonly scopes?: readonly string[] | undefined;
}

/**
 * The metadata of a client in the words of RFC 7591.
 * https://www.rfc-editor.org/rfc/rfc7591#section-2
 */
export function registrationMetadata(told: ClientMetadata, use: ClientUse): Record<string, unknown> {
  const { grantType } = use;
  const isCode = grantType === 'authorization_code';
  const members = {
    client_name: told.name,
    client_uri: told.uri,
    logo_uri: told.logoUri,
    policy_uri: told.policyUri,
    tos_uri: told.termsUri,
    contacts: told.contacts,
    software_id: told.softwareId,
    software_version: told.softwareVersion,
    scope: (told.scopes ?? use.scopes)?.join(' '),
    redirect_uris: isCode ? use.redirectUris : undefined,
    grant_types: isCode && use.refreshes ? [grantType, 'refresh_token'] : [grantType],
    response_types: isCode ? ['code'] : [],
    token_endpoint_auth_method: use.authMethod,
    application_type: use.applicationType,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Ways for a client that has no secret yet; one that needs none comes first. */
const simplestFirst = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/**
 * How a client that is about to be registered is going to authenticate.
 * @throws AuthError `unsupported` where the server has no way for it.
 */
export function registrationMethod({
  issuer,
  tokenEndpointAuthMethods,
}: AuthorizationServer): ClientAuthMethod {
  const method = simplestFirst.find((one) => tokenEndpointAuthMethods.includes(one));
  if (method !== undefined) return method;
  throw new AuthError(
    'unsupported',
    `${issuer} has no way to authenticate for clients that register by themselves (it has ${tokenEndpointAuthMethods.slice(0, 8).join(', ').slice(0, 200)}): register the client there by hand.`,
  );
}

/** Tokens are refreshed where the server does not say that they cannot be. */
export function refreshesAt({ grantTypesSupported }: AuthorizationServer): boolean {
  return grantTypesSupported?.includes('refresh_token') ?? true;
}
