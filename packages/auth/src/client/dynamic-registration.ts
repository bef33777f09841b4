import { AuthError } from '../auth-error.js';
import { isLoopbackUrl } from '../http/address-class.js';
import type { AuthorizationServer } from './authorization-server.js';
import type { ClientMetadata } from './client-identity.js';
import type { ClientInformation } from './client-information.js';
import type { GrantTools } from './grant.js';
import type { Interaction } from './interaction.js';
import { readRegistration } from './registration-answer.js';
import { refreshesAt, registrationMetadata, registrationMethod } from './registration-metadata.js';

/** A registration that is wanted. */
export interface DynamicRegistration {
  readonly server: AuthorizationServer;
  readonly endpoint: URL;
  readonly metadata: ClientMetadata;
  readonly grantType: string;
  readonly interaction: Pick<Interaction, 'redirectUris' | 'applicationType'>;
  readonly tools: Pick<GrantTools, 'http' | 'signal'>;
}

/**
 * Registers a client. A server that takes exception to the kind of application, or to redirect URIs that the other kind may
 * have, is asked once more with that.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#application-type-and-redirect-uri-constraints
 * @throws AuthError what the server said first.
 */
export async function registerClient(registration: DynamicRegistration): Promise<ClientInformation> {
  const { redirectUris, applicationType } = registration.interaction;
  try {
    return await registerAs(applicationType, registration);
  } catch (error) {
    const other = applicationType === 'native' ? 'web' : 'native';
    if (!mayHelp(other, error, redirectUris)) throw error;
    try {
      return await registerAs(other, registration);
    } catch (again) {
      throw again instanceof AuthError && again.reason === 'not-registered' ? error : again;
    }
  }
}

type ApplicationType = Interaction['applicationType'];

async function registerAs(
  applicationType: ApplicationType,
  { server, endpoint, metadata, grantType, interaction, tools }: DynamicRegistration,
): Promise<ClientInformation> {
  const { redirectUris } = interaction;
  const authMethod = registrationMethod(server);
  const use = { grantType, redirectUris, applicationType, authMethod, refreshes: refreshesAt(server) };
  const answer = await tools.http.send({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(registrationMetadata(metadata, use)),
    signal: tools.signal,
  });
  return readRegistration(answer, { ...use, issuer: server.issuer });
}

function mayHelp(other: ApplicationType, error: unknown, redirectUris: readonly string[]): boolean {
  if (!(error instanceof AuthError)) return false;
  if (error.oauthError === 'invalid_client_metadata') return true;
  return error.oauthError === 'invalid_redirect_uri' && redirectUris.every((uri) => fits(other, uri));
}

/** Whether OpenID Connect lets an application of that kind have such a redirect URI. */
function fits(applicationType: ApplicationType, uri: string): boolean {
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' && !isLoopbackUrl(url);
  return applicationType === 'web' ? isWeb : !isWeb;
}
