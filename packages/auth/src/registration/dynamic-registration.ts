import { AuthError } from '../auth-error.js';
import { isLoopbackUrl } from '../http/url-host.js';
import type { ClientInformation } from '../oauth/client-information.js';
import type { GrantTools } from '../oauth/grant.js';
import type { Interaction } from '../oauth/interaction.js';
import type { ClientMetadata } from './client-identity.js';
import { refreshesAt, registrationMetadata, registrationMethod } from './registration-metadata.js';
import { readRegistration } from './registration-response.js';
import type { ClientRequest } from './stored-registration.js';

export interface DynamicRegistration extends Omit<ClientRequest, 'identity' | 'tools'> {
  readonly endpoint: URL;
  readonly metadata: ClientMetadata;
  readonly tools: Pick<GrantTools, 'http' | 'signal'>;
}

/**
 * Registers a client. If the server rejects the scopes, registers again without them. If it rejects several redirect URIs,
 * registers again with one of them. If it rejects the application type, or redirect URIs that the other type allows, registers
 * again with the other type.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#application-type-and-redirect-uri-constraints
 * @throws AuthError the first refusal of the server.
 */
export async function registerClient(registration: DynamicRegistration): Promise<ClientInformation> {
  const { interaction } = registration;
  const { applicationType } = interaction;
  const redirectUris = (await interaction.urisToRegister?.()) ?? interaction.redirectUris;
  const asked = { ...registration, redirectUris };
  const unscoped = { ...asked, scopes: undefined };
  const alone = redirectUris.map((uri) => async (refusal: AuthError) => {
    if (redirectUris.length === 1 || refusal.oauthError !== 'invalid_redirect_uri') throw refusal;
    return registerAs(applicationType, { ...asked, redirectUris: [uri] });
  });
  return await firstSuccess(
    () => registerAs(applicationType, asked),
    async (refusal) => {
      if (registration.scopes === undefined || !isOfScopes(refusal)) throw refusal;
      return registerAs(applicationType, unscoped);
    },
    ...alone,
    async (refusal) => {
      const other = applicationType === 'native' ? 'web' : 'native';
      if (!mayHelp(other, refusal, redirectUris)) throw refusal;
      return registerAs(other, isOfScopes(refusal) ? unscoped : asked);
    },
  );
}

type Attempt = (refusal: AuthError) => Promise<ClientInformation>;

/** Runs the attempts in order until one succeeds. @throws the first refusal; any other error at once. */
async function firstSuccess(
  first: () => Promise<ClientInformation>,
  ...others: readonly Attempt[]
): Promise<ClientInformation> {
  let refusal: AuthError | undefined;
  for (const attempt of [first, ...others]) {
    try {
      return await attempt(refusal as AuthError);
    } catch (error) {
      if (!(error instanceof AuthError) || error.reason !== 'not-registered') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

type ApplicationType = Interaction['applicationType'];

/** True if the server may have rejected the scopes, or the scopes of dynamically registered clients. */
function isOfScopes({ oauthError }: AuthError): boolean {
  return oauthError !== undefined && scopeErrors.has(oauthError);
}

const scopeErrors: ReadonlySet<string> = new Set([
  'insufficient_scope',
  'invalid_client_metadata',
  'invalid_scope',
]);

async function registerAs(
  applicationType: ApplicationType,
  request: DynamicRegistration & { readonly redirectUris: readonly string[] },
): Promise<ClientInformation> {
  const { server, endpoint, metadata, grantType, interaction, redirectUris, scopes, tools } = request;
  const authMethod = registrationMethod(server);
  const refreshes = refreshesAt(server);
  const use = { grantTypes: [grantType], redirectUris, applicationType, authMethod, refreshes, scopes };
  const answer = await tools.http.send({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(registrationMetadata(metadata, use)),
    signal: tools.signal,
  });
  const accepts = interaction.accepts?.bind(interaction);
  return readRegistration(answer, { ...use, issuer: server.issuer, accepts });
}

function mayHelp(other: ApplicationType, error: AuthError, redirectUris: readonly string[]): boolean {
  if (error.oauthError === 'invalid_client_metadata') return true;
  return error.oauthError === 'invalid_redirect_uri' && redirectUris.every((uri) => fits(other, uri));
}

/** True if OpenID Connect allows this redirect URI for the application type. */
function fits(applicationType: ApplicationType, uri: string): boolean {
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' && !isLoopbackUrl(url);
  return applicationType === 'web' ? isWeb : !isWeb;
}
