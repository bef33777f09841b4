import { AuthError } from '../auth-error.js';
import { isLoopbackUrl } from '../http/url-host.js';
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
  /** Scopes that are going to be asked for. */
  readonly scopes?: readonly string[] | undefined;
  readonly tools: Pick<GrantTools, 'http' | 'signal'>;
}

/**
 * Registers a client. A server that takes exception to the scopes is asked once more without them; one that does so to the kind
 * of application, or to redirect URIs that the other kind may have, once more with that.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration#application-type-and-redirect-uri-constraints
 * @throws AuthError what the server said first.
 */
export async function registerClient(registration: DynamicRegistration): Promise<ClientInformation> {
  const { redirectUris, applicationType } = registration.interaction;
  const unscoped = { ...registration, scopes: undefined };
  return await orElse(
    () => registerAs(applicationType, registration),
    async (refusal) => {
      if (registration.scopes === undefined || !isOfScopes(refusal)) throw refusal;
      return registerAs(applicationType, unscoped);
    },
    async (refusal) => {
      const other = applicationType === 'native' ? 'web' : 'native';
      if (!mayHelp(other, refusal, redirectUris)) throw refusal;
      return registerAs(other, isOfScopes(refusal) ? unscoped : registration);
    },
  );
}

type Attempt = (refusal: AuthError) => Promise<ClientInformation>;

/** Tries one way after the other as long as they are refused. @throws the first refusal; at once, what is none. */
async function orElse(
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

/** A server may have no such scopes, or none for clients that register by themselves. */
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
  { server, endpoint, metadata, grantType, interaction, scopes, tools }: DynamicRegistration,
): Promise<ClientInformation> {
  const { redirectUris } = interaction;
  const authMethod = registrationMethod(server);
  const refreshes = refreshesAt(server);
  const use = { grantType, redirectUris, applicationType, authMethod, refreshes, scopes };
  const answer = await tools.http.send({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(registrationMetadata(metadata, use)),
    signal: tools.signal,
  });
  return readRegistration(answer, { ...use, issuer: server.issuer });
}

function mayHelp(other: ApplicationType, error: AuthError, redirectUris: readonly string[]): boolean {
  if (error.oauthError === 'invalid_client_metadata') return true;
  return error.oauthError === 'invalid_redirect_uri' && redirectUris.every((uri) => fits(other, uri));
}

/** Whether OpenID Connect lets an application of that kind have such a redirect URI. */
function fits(applicationType: ApplicationType, uri: string): boolean {
  const url = new URL(uri);
  const isWeb = url.protocol === 'https:' && !isLoopbackUrl(url);
  return applicationType === 'web' ? isWeb : !isWeb;
}
