import type { UnknownObject } from '@tenon/mcp-protocol';
import { isScope, isUrl } from '@tenon/mcp-protocol/internal';
import { AuthError } from '../auth-error.js';
import { isTrue, textOf, textsOf } from '../http/document-members.js';
import { endpointUrl } from '../http/endpoint-url.js';
import { firstDocument, type PlacesRequest } from '../http/first-document.js';
import { toldText } from '../http/told-text.js';
import type { ProtectedResource } from './protected-resource.js';
import { resourceFlaw, wellKnownResource } from './resource-identifier.js';
import { maxScopes } from './scopes.js';

/** Whose metadata is wanted. */
export interface ResourceMetadataRequest extends Omit<PlacesRequest, 'places'> {
  readonly server: URL;
  /** Where the server itself says it is. */
  readonly resourceMetadata: string | undefined;
  readonly allow?: readonly string[] | undefined;
}

// Authorization servers of one resource that are looked at.
const mostServers = 8;

/**
 * The metadata of a protected server: where its challenge says, else at the well-known place of its path, else of its origin.
 * What is signed in it is not looked at.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/authorization-server-discovery#protected-resource-metadata-discovery-requirements
 * @returns undefined where there is none.
 * @throws AuthError `discovery-failed` where there is none although the challenge says so, or it names no authorization
 * server, `mismatch` where it is of another server, `forbidden-address`, `unreachable`.
 */
export async function fetchProtectedResource(
  request: ResourceMetadataRequest,
): Promise<ProtectedResource | undefined> {
  const { server, resourceMetadata = '' } = request;
  // What is no whole address, as a path alone, tells no place.
  const isTold = isUrl(resourceMetadata);
  const places = isTold ? [toldPlace(request)] : wellKnownPlaces(server);
  const found = await firstDocument({ ...request, places });
  if (found.document !== undefined) return readResource(found.document, server, found.place);
  if (!isTold) return undefined;
  throw new AuthError(
    'discovery-failed',
    `${server.origin} says where its metadata is, and there is none: ${found.absences}.`,
  );
}

function toldPlace({ server, resourceMetadata: text, allow = [] }: ResourceMetadataRequest): URL {
  // The origin that the user named is good enough for its own metadata.
  return endpointUrl({
    text,
    name: 'resource_metadata',
    of: server.origin,
    allow: [...allow, server.origin],
  });
}

function wellKnownPlaces({ origin, pathname, search }: URL): readonly URL[] {
  const root = new URL(`${origin}${wellKnownResource}`);
  const path = pathname.replace(/\/$/, '');
  return path === '' && search === '' ? [root] : [new URL(`${root.href}${path}${search}`), root];
}

function readResource(document: UnknownObject, server: URL, place: URL): ProtectedResource {
  const resource = textOf(document, 'resource');
  const flaw = resource === undefined ? 'it is missing' : resourceFlaw(resource, server, place);
  if (resource === undefined || flaw !== undefined) {
    const told = resource === undefined ? '' : ` ${toldText(resource)}`;
    const message = `The resource${told} in the metadata at ${bare(place)} is not that of ${bare(server)}: ${flaw}.`;
    throw new AuthError('mismatch', message);
  }
  const authorizationServers = textsOf(document, 'authorization_servers')?.slice(0, mostServers) ?? [];
  if (authorizationServers.length === 0) {
    throw new AuthError('discovery-failed', `The metadata at ${bare(place)} names no authorization server.`);
  }
  return {
    resource,
    authorizationServers,
    scopesSupported: textsOf(document, 'scopes_supported')?.filter(isScope).slice(0, maxScopes),
    dpopBound: isTrue(document, 'dpop_bound_access_tokens_required'),
  };
}

/** Without its query, where some write what is secret. */
function bare({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
