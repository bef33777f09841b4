import { InsufficientScopeError, type TransportFacts } from '@tenon/mcp-protocol';
import type { CallPort } from './context-ports.js';

/** The scopes that requests were found to need: an error names all of them at once. */
const taken = new WeakMap<object, readonly string[]>();

/** The facts about a caller that decide about scopes. */
export type Known = Pick<TransportFacts, 'principal' | 'anonymous'>;

/** True if the caller has these scopes, or the transport does not authenticate callers. */
export function hasScopes({ principal, anonymous }: Known, scopes: readonly string[] | undefined): boolean {
  if (scopes === undefined || scopes.length === 0) return true;
  if (principal === undefined) return anonymous !== true;
  const { scopes: granted } = principal;
  // A string would match a part of a scope.
  return Array.isArray(granted) && scopes.every((scope) => granted.includes(scope));
}

/** @throws InsufficientScopeError if the caller lacks one of these scopes. */
export function requireScopes(request: Pick<CallPort, 'exchange'>, scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  const all = [...new Set([...(taken.get(request) ?? []), ...scopes])];
  if (!hasScopes(request.exchange.facts, scopes)) throw new InsufficientScopeError(all);
  taken.set(request, all);
}
