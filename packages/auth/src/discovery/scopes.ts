import { isScope } from '@tenon/mcp-protocol/internal';

/** Scopes that one token request may name; further ones that a peer lists are ignored. */
export const maxScopes = 128;

export interface ScopeFacts {
  /** Scopes in the challenge of the server. */
  readonly challenged?: readonly string[] | undefined;
  /** `scopes_supported` of the protected resource. */
  readonly resource: readonly string[] | undefined;
  /** `scopes_supported` of the authorization server. */
  readonly server: readonly string[] | undefined;
  /** Scopes that were requested before: a new token must include them. */
  readonly earlier?: readonly string[] | undefined;
  /** Scopes of the provider's options. */
  readonly further?: readonly string[] | undefined;
  /** True to request a refresh token. */
  readonly offline: boolean;
}

const offlineAccess = 'offline_access';

/**
 * Returns the scopes to request: those of the challenge, or else of the resource, and those of earlier requests. Undefined if
 * there are none: the authorization server then chooses.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 */
export function selectScopes(facts: ScopeFacts): readonly string[] | undefined {
  const { challenged, resource, server, earlier = [], further = [], offline } = facts;
  const needed = challenged !== undefined && challenged.length > 0 ? challenged : (resource ?? []);
  const scopes = unionOf(needed, earlier, further).filter((scope) => scope !== offlineAccess);
  // Requested alone, offline_access would replace the default scopes of the authorization server.
  if (scopes.length === 0) return undefined;
  return offline && server?.includes(offlineAccess) === true ? [...scopes, offlineAccess] : scopes;
}

/**
 * Returns the scopes to register a client with, because many authorization servers grant it no others later: those it
 * requests now, and those of the resource that the authorization server lists, for later requests.
 * https://www.rfc-editor.org/rfc/rfc7591#section-2
 */
export function declaredScopes({
  asked,
  resource = [],
  server,
}: Pick<ScopeFacts, 'resource' | 'server'> & { readonly asked: readonly string[] | undefined }):
  | readonly string[]
  | undefined {
  if (asked === undefined) return undefined;
  return unionOf(
    asked,
    resource.filter((scope) => server?.includes(scope) !== false),
  );
}

/** Joins lists of scopes without duplicates, skips malformed scopes, and stops at {@link maxScopes}. */
export function unionOf(...lists: (readonly string[])[]): string[] {
  const union = new Set<string>();
  for (const scope of lists.flat()) {
    if (union.size >= maxScopes) break;
    if (isScope(scope)) union.add(scope);
  }
  return [...union];
}

/**
 * Returns the scopes in the response of a token endpoint. Some servers separate them with commas; a comma is part of a scope
 * only if a requested scope contains one.
 */
export function splitScopes(
  listed: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked?.some((scope) => scope.includes(',')) === true) return listed;
  return listed && unionOf(listed.flatMap((scope) => scope.split(',')));
}

/** True if `scopes` contains all of `wanted`. */
export function includesAll(scopes: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => scopes.includes(scope));
}
