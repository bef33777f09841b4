import type { UnknownObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import { isTrue, textOf, textsOf } from '../http/document-members.js';
import { endpointUrl } from '../http/endpoint-url.js';
import { firstDocument, type PlacesRequest } from '../http/first-document.js';
import { toldText } from '../http/told-text.js';
import type { AuthorizationServer } from './authorization-server.js';

/** Whose metadata is wanted. */
export interface ServerMetadataRequest extends Omit<PlacesRequest, 'places'> {
  /** As it is written where it comes from: the metadata must repeat it to the letter. */
  readonly issuer: string;
  /** Hosts or origins that are trusted, the same as given to `safeHttp`; http will do for origins among them. */
  readonly allow?: readonly string[] | undefined;
}

/**
 * The metadata of an authorization server, by RFC 8414, else by OpenID Connect Discovery.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
 * @throws AuthError `discovery-failed` where there is none, `mismatch` where it is of another issuer, `forbidden-address`, `unreachable`.
 */
export async function fetchAuthorizationServer(request: ServerMetadataRequest): Promise<AuthorizationServer> {
  const { issuer, allow } = request;
  const places = metadataPlaces(issuerUrl(issuer, allow));
  const found = await firstDocument({ ...request, places });
  if (found.document !== undefined)
    return readServerMetadata(found.document, { ...request, issuers: [issuer] });
  throw new AuthError(
    'discovery-failed',
    `The authorization server ${issuer} has no metadata at ${found.absences}.`,
  );
}

/**
 * What servers of the revision of 2025-03 have: metadata at their root, or else endpoints at places of old.
 * @throws AuthError `mismatch`, `forbidden-address` or `unreachable`.
 */
export async function fetchOwnServer(
  server: URL,
  request: Omit<ServerMetadataRequest, 'issuer'>,
): Promise<AuthorizationServer> {
  const { origin } = server;
  const found = await firstDocument({ ...request, places: metadataPlaces(new URL(origin)) });
  if (found.document === undefined) return assumedServer(server, request.allow);
  // Nobody wrote this issuer down: it follows from the address of the server, which has two spellings.
  return readServerMetadata(found.document, { ...request, issuers: [origin, `${origin}/`] });
}

/**
 * An authorization server without metadata, at the origin of the server it is part of.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#fallbacks-for-servers-without-metadata-discovery
 * @throws AuthError `forbidden-address` where the server is not reached by https.
 */
export function assumedServer({ origin }: URL, allow?: readonly string[]): AuthorizationServer {
  const at = (path: string) =>
    endpointUrl({ text: `${origin}${path}`, name: `endpoint ${path}`, of: origin, allow });
  return {
    issuer: origin,
    authorizationEndpoint: at('/authorize'),
    tokenEndpoint: at('/token'),
    registrationEndpoint: at('/register'),
    revocationEndpoint: undefined,
    jwksUri: undefined,
    scopesSupported: undefined,
    grantTypesSupported: undefined,
    tokenEndpointAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    tokenEndpointAuthSigningAlgs: undefined,
    codeChallengeMethods: undefined,
    issInResponse: false,
    clientIdMetadataDocuments: false,
    dpopSigningAlgs: undefined,
    assumed: true,
  };
}

/** @throws AuthError `forbidden-address` */
function issuerUrl(issuer: string, allow: readonly string[] | undefined): URL {
  const of = 'an authorization server';
  const url = endpointUrl({ text: issuer, name: 'issuer', of, allow });
  if (!issuer.includes('?')) return url;
  throw new AuthError('forbidden-address', `The issuer ${issuer} cannot be used: it has a query.`);
}

function metadataPlaces({ origin, pathname }: URL): readonly URL[] {
  const path = pathname.replace(/\/$/, '');
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  if (path !== '') places.push(`${origin}${path}/.well-known/openid-configuration`);
  return places.map((place) => new URL(place));
}

interface MetadataContext extends Omit<ServerMetadataRequest, 'issuer'> {
  /** Any of these will do. */
  readonly issuers: readonly string[];
}

async function readServerMetadata(
  document: UnknownObject,
  { issuers, http, allow }: MetadataContext,
): Promise<AuthorizationServer> {
  const issuer = sameIssuer(textOf(document, 'issuer'), issuers);
  const endpoint = (name: string) => {
    const text = document[name] ?? undefined;
    return text === undefined ? undefined : endpointUrl({ text, name, of: issuer, allow });
  };
  const server: AuthorizationServer = {
    issuer,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    tokenEndpoint: endpoint('token_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    revocationEndpoint: unlessBad(() => endpoint('revocation_endpoint')),
    jwksUri: unlessBad(() => endpoint('jwks_uri')),
    scopesSupported: textsOf(document, 'scopes_supported'),
    grantTypesSupported: textsOf(document, 'grant_types_supported'),
    tokenEndpointAuthMethods: textsOf(document, 'token_endpoint_auth_methods_supported') ?? [
      'client_secret_basic',
    ],
    tokenEndpointAuthSigningAlgs: textsOf(document, 'token_endpoint_auth_signing_alg_values_supported'),
    codeChallengeMethods: textsOf(document, 'code_challenge_methods_supported'),
    issInResponse: isTrue(document, 'authorization_response_iss_parameter_supported'),
    clientIdMetadataDocuments: isTrue(document, 'client_id_metadata_document_supported'),
    dpopSigningAlgs: textsOf(document, 'dpop_signing_alg_values_supported'),
    assumed: false,
  };
  // A browser opens the first without being asked; the others tell early what would only fail later.
  for (const url of [server.authorizationEndpoint, server.tokenEndpoint, server.registrationEndpoint]) {
    if (url !== undefined) await http.check?.(url);
  }
  return server;
}

function sameIssuer(given: string | undefined, issuers: readonly string[]): string {
  if (given !== undefined && issuers.includes(given)) return given;
  const [expected = ''] = issuers;
  const told = given === undefined ? 'says of no issuer' : `is of ${toldText(given)}`;
  const isSlash = given === `${expected}/` || `${given}/` === expected;
  const advice = isSlash ? ' They must be the same to the letter, the slash at the end included.' : '';
  throw new AuthError(
    'mismatch',
    `The metadata of the authorization server ${expected} ${told}, and is not used.${advice}`,
  );
}

/** Endpoints that a client can do without are left out where they cannot be used, such as those for the server's own network. */
function unlessBad(read: () => URL | undefined): URL | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
