import type { UnknownObject } from '@tenon/mcp-protocol';
import { isScope, isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { displayText, isTrue, textOf, textsOf } from '../http/document-text.js';
import { endpointUrl } from '../http/endpoint-url.js';
import { type DocumentSearch, firstDocument } from '../http/json-document.js';
import { maxScopes } from './scopes.js';

export interface ResourceMetadataRequest extends Omit<DocumentSearch, 'urls'> {
  readonly server: URL;
  /** The URL of the metadata in the challenge of the server. */
  readonly resourceMetadata: string | undefined;
  readonly allow?: readonly string[] | undefined;
}

// Authorization servers of one resource; further ones are ignored.
const mostServers = 8;

/**
 * Fetches the metadata of a protected server from the URL in its challenge, or else from the well-known URL of its path, then
 * of its origin. Signed metadata is ignored.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
 * @returns undefined if the server has no metadata.
 * @throws AuthError `discovery-failed` if there is none at the URL in the challenge or it names no authorization server,
 * `mismatch` if it belongs to another server, `forbidden-address`, `unreachable`.
 */
export async function fetchProtectedResource(
  request: ResourceMetadataRequest,
): Promise<ProtectedResource | undefined> {
  const { server, resourceMetadata = '' } = request;
  // A relative URL, such as a path alone, is ignored.
  const isNamed = isUrl(resourceMetadata);
  const urls = isNamed ? [challengeUrl(request)] : wellKnownUrls(server);
  const found = await firstDocument({ ...request, urls });
  if (found.document !== undefined) return readResource(found.document, server, found.url);
  if (!isNamed) return undefined;
  throw new AuthError(
    'discovery-failed',
    `The challenge of ${server.origin} has a resource_metadata URL, and no metadata is there: ${found.absences}.`,
  );
}

function challengeUrl({ server, resourceMetadata: text, allow = [] }: ResourceMetadataRequest): URL {
  // The origin that the user configured is trusted for its own metadata.
  return endpointUrl({
    text,
    name: 'resource_metadata',
    of: server.origin,
    allow: [...allow, server.origin],
  });
}

function wellKnownUrls({ origin, pathname, search }: URL): readonly URL[] {
  const root = new URL(`${origin}${wellKnownResource}`);
  const path = pathname.replace(/\/$/, '');
  return path === '' && search === '' ? [root] : [new URL(`${root.href}${path}${search}`), root];
}

function readResource(document: UnknownObject, server: URL, source: URL): ProtectedResource {
  const resource = textOf(document, 'resource');
  const problem = resource === undefined ? 'it is missing' : resourceProblem(resource, server, source);
  if (resource === undefined || problem !== undefined) {
    const named = resource === undefined ? '' : ` ${displayText(resource)}`;
    const message = `The resource${named} in the metadata at ${withoutQuery(source)} does not match ${withoutQuery(server)}: ${problem}.`;
    throw new AuthError('mismatch', message);
  }
  const authorizationServers = textsOf(document, 'authorization_servers')?.slice(0, mostServers) ?? [];
  if (authorizationServers.length === 0) {
    throw new AuthError(
      'discovery-failed',
      `The metadata at ${withoutQuery(source)} names no authorization server.`,
    );
  }
  return {
    resource,
    authorizationServers,
    scopesSupported: textsOf(document, 'scopes_supported')?.filter(isScope).slice(0, maxScopes),
    dpopBound: isTrue(document, 'dpop_bound_access_tokens_required'),
  };
}

/** Returns the URL without its query, which may contain a secret. */
function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/**
 * The checked metadata of a protected server.
 * https://www.rfc-editor.org/rfc/rfc9728#section-2
 */
export interface ProtectedResource {
  /** The identifier of the server: the `resource` of every token request. */
  readonly resource: string;
  /** Issuers in the order of the metadata; at least one. */
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
  /** True if every token must be bound to a key. */
  readonly dpopBound: boolean;
}

/** Returns the identifier of a server without metadata: its URL without a trailing slash that has no meaning. */
export function canonicalResource(server: URL): string {
  const { origin, pathname, search } = server;
  return pathname === '/' && search === '' ? origin : `${origin}${pathname}${search}`;
}

/**
 * Returns the reason why an identifier does not belong to a server, as the end of a sentence; undefined if it does.
 *
 * RFC 9728 requires the identifier to be identical to the URL that was looked up. Many servers use their origin, or a path
 * above their own, and issue their tokens for that. So an identical identifier (with or without a trailing slash) is
 * accepted wherever it was read. One that covers more than the server is accepted only from a well-known URL of that origin,
 * which only the operator of the whole origin can serve: otherwise one of several servers at an origin could obtain tokens
 * that all of them accept.
 * https://www.rfc-editor.org/rfc/rfc9728#section-3.3
 * @param source - the URL that the identifier was read from.
 */
export function resourceProblem(resource: string, server: URL, source: URL): string | undefined {
  const url = isUrl(resource) ? new URL(resource) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || resource.includes('#')) {
    return 'it is not a plain URL';
  }
  if (!isWrittenAsRead(resource, url)) return 'it is changed by URL parsers';
  if (url.origin !== server.origin) return 'it has another origin';
  const path = withSlash(url.pathname);
  const served = withSlash(server.pathname);
  if (path === served && url.search === server.search) return undefined;
  if (url.search !== '' || !served.startsWith(path)) return 'it has another path';
  return isWellKnown(source, server)
    ? undefined
    : 'it covers more than the server, which is allowed only at a well-known URL';
}

/** True if the URL parser leaves the text unchanged: it resolves dots, and converts backslashes and spaces. */
function isWrittenAsRead(text: string, { pathname, search }: URL): boolean {
  const [, rest] = /^https?:\/\/[^/?#\s\\]+(.*)$/is.exec(text) ?? [];
  return rest === `${pathname}${search}` || (rest === '' && pathname === '/');
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

function isWellKnown(source: URL, server: URL): boolean {
  return source.origin === server.origin && withSlash(source.pathname).startsWith(`${wellKnownResource}/`);
}

/** The path of the metadata of a resource. */
export const wellKnownResource = '/.well-known/oauth-protected-resource';
