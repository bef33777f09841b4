import {
  type Exchange,
  InsufficientScopeError,
  type NotificationMethod,
  type NotificationTypes,
  type TransportFacts,
} from '@tenon/mcp-protocol';
import type { IncomingRequest, RequestHost } from '@tenon/mcp-session';

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

/**
 * The call that a handler works for, as far as its {@link Context} needs it: who is calling, in which revision, and where
 * progress, log messages and other notifications go. A live request is one; a detached call is another.
 */
export interface CallPort
  extends Pick<
    IncomingRequest,
    | 'method'
    | 'params'
    | 'revision'
    | 'from'
    | 'principal'
    | 'sessionId'
    | 'signal'
    | 'finished'
    | 'meta'
    | 'progress'
    | 'state'
    | 'ask'
  > {
  /** The session, if there is one. */
  readonly host: Pick<RequestHost, 'conversation'>;
  readonly exchange: Pick<Exchange, 'facts' | 'release'>;
  notify<M extends NotificationMethod>(method: M, params: NotificationTypes[M]): Promise<void> | undefined;
}
