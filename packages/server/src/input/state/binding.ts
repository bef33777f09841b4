import type { IncomingRequest } from '@tenon/mcp-session';
import { digestOf } from './canonical-json.js';

/** Returns the binding of this request's state: its caller, its method, and its params except those that change between rounds. */
export async function bindingOf(request: IncomingRequest): Promise<string> {
  const { _meta, inputResponses, requestState, ...salient } = request.params;
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
