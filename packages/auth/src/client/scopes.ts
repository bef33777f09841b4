import { isScope } from '@tenon/mcp-protocol/internal';

/** Scopes that one request for a token may name; what a peer lists beyond that is left out. */
export const maxScopes = 128;

/** What decides which scopes are asked for. */
export interface ScopeFacts {
  /** Scopes that the server's challenge named. */
  readonly challenged?: readonly string[] | undefined;
  /** `scopes_supported` of the protected resource. */
  readonly resource: readonly string[] | undefined;
  /** `scopes_supported` of the authorization server. */
  readonly server: readonly string[] | undefined;
  /** What was asked for before: a new token must not lack it. */
  readonly earlier?: readonly string[] | undefined;
  /** What the user of the library asks for besides. */
  readonly further?: readonly string[] | undefined;
  /** A refresh token is wanted. */
  readonly offline: boolean;
}

const offlineAccess = 'offline_access';

/**
 * The scopes to ask for: those of the challenge, else those of the resource, with what was asked for before. Undefined where
 * nobody names any: the authorization server chooses then.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 */
export function selectScopes(facts: ScopeFacts): readonly string[] | undefined {
  const { challenged, resource, server, earlier = [], further = [], offline } = facts;
  const needed = challenged !== undefined && challenged.length > 0 ? challenged : (resource ?? []);
  const scopes = unionOf(needed, earlier, further).filter((scope) => scope !== offlineAccess);
  // Alone it would stand in place of what the authorization server grants by default.
  if (scopes.length === 0) return undefined;
  return offline && server?.includes(offlineAccess) === true ? [...scopes, offlineAccess] : scopes;
}

/**
 * The scopes that a client registers for: many authorization servers give it no others later. Those that it asks for now, and
 * those of the resource, as far as the authorization server lists them, for when it asks for more.
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

/** All scopes of several lists, each once; what cannot be a scope is left out, and what is beyond {@link maxScopes}. */
export function unionOf(...lists: (readonly string[])[]): string[] {
  const union = new Set<string>();
  for (const scope of lists.flat()) {
    if (union.size >= maxScopes) break;
    if (isScope(scope)) union.add(scope);
  }
  return [...union];
}

/**
 * Scopes as a token endpoint told them: some put commas between them, which are part of no scope unless one that was asked for
 * has them.
 */
export function apart(
  told: readonly string[] | undefined,
  asked: readonly string[] | undefined,
): readonly string[] | undefined {
  if (asked?.some((scope) => scope.includes(',')) === true) return told;
  return told && unionOf(told.flatMap((scope) => scope.split(',')));
}

/** True when none of the wanted scopes is missing. */
export function includesAll(scopes: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) => scopes.includes(scope));
}
