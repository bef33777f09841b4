import type { UnknownObject } from '@tenon/mcp-protocol';
import { AuthError } from '../auth-error.js';
import { displayText, isTrue, textOf, textsOf } from '../http/document-text.js';
import { endpointUrl } from '../http/endpoint-url.js';
import { type DocumentSearch, firstDocument } from '../http/json-document.js';

/**
 * The checked metadata of an authorization server: all URLs are https or on this machine, and `issuer` is the issuer that
 * was looked up.
 * https://www.rfc-editor.org/rfc/rfc8414#section-2
 */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorizationEndpoint: URL | undefined;
  readonly tokenEndpoint: URL | undefined;
  readonly registrationEndpoint: URL | undefined;
  /** Absent if tokens cannot be revoked. https://www.rfc-editor.org/rfc/rfc7009 */
  readonly revocationEndpoint?: URL | undefined;
  /** Absent if users cannot sign in with a code on another device. https://www.rfc-editor.org/rfc/rfc8628#section-4 */
  readonly deviceAuthorizationEndpoint?: URL | undefined;
  /** The URL of the keys that its tokens are signed with. */
  readonly jwksUri: URL | undefined;
  readonly scopesSupported: readonly string[] | undefined;
  readonly grantTypesSupported: readonly string[] | undefined;
  /** Only `client_secret_basic` if the metadata has no such member. */
  readonly tokenEndpointAuthMethods: readonly string[];
  readonly tokenEndpointAuthSigningAlgs: readonly string[] | undefined;
  /** Undefined if the metadata has no such member: the server then has no PKCE. */
  readonly codeChallengeMethods: readonly string[] | undefined;
  /** True if its authorization responses contain `iss`. */
  readonly issInResponse: boolean;
  /** True if it accepts the URL of a client id metadata document as client id. */
  readonly clientIdMetadataDocuments: boolean;
  readonly dpopSigningAlgs: readonly string[] | undefined;
  /** True if it has no metadata: all values then follow from the URL of the MCP server, as in the revision of 2025-03. */
  readonly assumed: boolean;
}

export interface ServerMetadataRequest extends Omit<DocumentSearch, 'urls'> {
  /** Exactly as its source wrote it: the metadata must contain the same text. */
  readonly issuer: string;
  /** Hosts or origins that are trusted, the same as the option of `safeHttp`; http is allowed for the origins. */
  readonly allow?: readonly string[] | undefined;
}

/**
 * Fetches the metadata of an authorization server by RFC 8414, or else by OpenID Connect Discovery.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#authorization-server-metadata-discovery
 * @throws AuthError `discovery-failed` if there is none, `mismatch` if it belongs to another issuer, `forbidden-address`,
 * `unreachable`.
 */
export async function fetchAuthorizationServer(request: ServerMetadataRequest): Promise<AuthorizationServer> {
  const { issuer, allow } = request;
  const urls = metadataUrls(issuerUrl(issuer, allow));
  const found = await firstDocument({ ...request, urls });
  if (found.document !== undefined)
    return readServerMetadata(found.document, { ...request, issuers: [issuer] });
  throw new AuthError(
    'discovery-failed',
    `The authorization server ${issuer} has no metadata at ${found.absences}.`,
  );
}

/**
 * Fetches the metadata that servers of the revision of 2025-03 have at their root; without any, returns the endpoints that
 * this revision defines as default.
 * @throws AuthError `mismatch`, `forbidden-address` or `unreachable`.
 */
export async function fetchOwnServer(
  server: URL,
  request: Omit<ServerMetadataRequest, 'issuer'>,
): Promise<AuthorizationServer> {
  const { origin } = server;
  const found = await firstDocument({ ...request, urls: metadataUrls(new URL(origin)) });
  if (found.document === undefined) return assumedServer(server, request.allow);
  // No document named this issuer: it follows from the URL of the server, which can be written in two ways.
  return readServerMetadata(found.document, { ...request, issuers: [origin, `${origin}/`] });
}

/**
 * Returns the authorization server that a server without metadata has at its origin.
 * https://modelcontextprotocol.io/specification/2025-03-26/basic/authorization#fallbacks-for-servers-without-metadata-discovery
 * @throws AuthError `forbidden-address` if the URL of the server is not https.
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

function metadataUrls({ origin, pathname }: URL): readonly URL[] {
  const path = pathname.replace(/\/$/, '');
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  if (path !== '') urls.push(`${origin}${path}/.well-known/openid-configuration`);
  return urls.map((url) => new URL(url));
}

interface MetadataContext extends Omit<ServerMetadataRequest, 'issuer'> {
  /** The accepted issuers. */
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
    deviceAuthorizationEndpoint: unlessBad(() => endpoint('device_authorization_endpoint')),
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
  // A browser opens the first URL without a check of its own; checking the others now makes errors appear early.
  for (const url of [server.authorizationEndpoint, server.tokenEndpoint, server.registrationEndpoint]) {
    if (url !== undefined) await http.check?.(url);
  }
  return server;
}

function sameIssuer(given: string | undefined, issuers: readonly string[]): string {
  if (given !== undefined && issuers.includes(given)) return given;
  const [expected = ''] = issuers;
  const actual = given === undefined ? 'names no issuer' : `names the issuer ${displayText(given)}`;
  const isSlash = given === `${expected}/` || `${given}/` === expected;
  const advice = isSlash ? ' Both must be identical, including the slash at the end.' : '';
  throw new AuthError(
    'mismatch',
    `The metadata of the authorization server ${expected} ${actual}, and is not used.${advice}`,
  );
}

/** Ignores an optional endpoint with an unusable URL, such as one for the server's own network. */
function unlessBad(read: () => URL | undefined): URL | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
