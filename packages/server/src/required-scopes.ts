import { type CarrierFacts, InsufficientScopeError } from '@tenon/mcp-protocol';
import type { CallPort } from './context-ports.js';

/** What requests have been found to take so far: a caller is told all of it at once. */
const taken = new WeakMap<object, readonly string[]>();

/** What is known of a caller that decides which scopes he has. */
export type Known = Pick<CarrierFacts, 'principal' | 'anonymous'>;

/** True when the caller has these scopes, or is nobody whom the carrier knows by scopes. */
export function hasScopes({ principal, anonymous }: Known, scopes: readonly string[] | undefined): boolean {
  if (scopes === undefined || scopes.length === 0) return true;
  if (principal === undefined) return anonymous !== true;
  const { scopes: granted } = principal;
  // In a text, a part of a scope would do.
  return Array.isArray(granted) && scopes.every((scope) => granted.includes(scope));
}

/** @throws InsufficientScopeError when the caller lacks one of these scopes. */
export function requireScopes(request: Pick<CallPort, 'exchange'>, scopes: readonly string[]): void {
  if (scopes.length === 0) return;
  const all = [...new Set([...(taken.get(request) ?? []), ...scopes])];
  if (!hasScopes(request.exchange.facts, scopes)) throw new InsufficientScopeError(all);
  taken.set(request, all);
}
