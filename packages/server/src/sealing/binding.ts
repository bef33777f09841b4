import type { IncomingRequest } from '@tenon/mcp-session';
import { paramsBeforeMiddleware } from '@tenon/mcp-session/internal';
import { digestOf } from './canonical-json.js';

/**
 * Returns the binding of this request's state: its caller, its method, and its params as the client sent them, except those that
 * change between rounds. Middleware that reads the state sees the same binding as the handler after it.
 */
export async function bindingOf(request: IncomingRequest): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = paramsBeforeMiddleware(request);
  const { principal } = request;
  return JSON.stringify([
    principal?.issuer ?? null,
    principal?.id ?? null,
    request.method,
    await digestOf(salient),
  ]);
}

/** Returns the owner of the state's share of a replay store. */
export function ownerOf({ principal, exchange }: IncomingRequest): string {
  return principal === undefined
    ? (exchange.facts.remoteAddress ?? '')
    : JSON.stringify([principal.issuer ?? null, principal.id]);
}
